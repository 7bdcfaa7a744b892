"use strict";
// Lists the items of a report, filters them, and shows one step by step. Texts of the report
// become text nodes only, never markup.
(async () => {
  const $ = (id) => document.getElementById(id);
  if (typeof DecompressionStream === "undefined") return;

  const unpack = async (id) => {
    const bytes = Uint8Array.from(atob($(id).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };
  const make = (tag, text, className) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    return node;
  };
  const put = (parent, ...children) => {
    parent.append(...children.filter(Boolean));
    return parent;
  };

  const CHOICES = ["f-model", "f-status", "f-kind", "f-name", "f-other"];
  const index = await unpack("items-index");
  const portions = new Map();
  const portion = (number) => {
    if (!portions.has(number)) portions.set(number, unpack(`items-${number}`));
    return portions.get(number);
  };
  const details = async (at) =>
    (await portion(Math.floor(at / index.portion)))[at % index.portion];

  const items = index.items.map((row, at) => ({
    at,
    model: index.models[row[0]],
    task: row[1],
    name: index.names[row[2]],
    status: index.status[row[3]],
    kinds: row[4].map((kind) => index.kinds[kind]),
    reason: row[5],
  }));
  for (const item of items) {
    item.words = `${item.task} ${item.name} ${item.model} ${item.reason}`.toLowerCase();
  }

  // Filters.
  const options = (id, all, values) => {
    put($(id), make("option", all));
    $(id).firstChild.value = "";
    for (const value of values) {
      const option = make("option", value === "missing" ? "missing (counts as failed)" : value);
      option.value = value;
      put($(id), option);
    }
  };
  options("f-model", "all", index.models);
  options("f-status", "all", index.status.filter((s) => items.some((i) => i.status === s)));
  options("f-kind", "all", [...index.kinds].sort());
  options("f-name", "all", [...index.names].sort());
  options("f-other", "anyone, or nobody", index.models);
  $("f-other").parentNode.hidden = index.models.length < 2;
  const solvers = new Map(index.models.map((model) => [model, new Set()]));
  for (const item of items) if (item.status === "solved") solvers.get(item.model).add(item.task);
  const choose = (chosen) => {
    $("q").value = "";
    for (const id of CHOICES) $(id).value = chosen[id] || "";
    filter();
  };

  let shown = items;
  let current = null;
  let run = 0;
  const matches = (item, words) =>
    (!$("f-model").value || item.model === $("f-model").value) &&
    (!$("f-status").value || item.status === $("f-status").value) &&
    (!$("f-kind").value || item.kinds.includes($("f-kind").value)) &&
    (!$("f-name").value || item.name === $("f-name").value) &&
    (!$("f-other").value || solvers.get($("f-other").value).has(item.task)) &&
    words.every((word) => item.words.includes(word) || (item.said && item.said.includes(word)));
  const tell = () => {
    $("count").textContent = `${shown.length.toLocaleString("en")} of ${items.length.toLocaleString("en")} items`;
    const counts = new Map();
    for (const item of shown) for (const kind of item.kinds) counts.set(kind, (counts.get(kind) || 0) + 1);
    const found = [...counts].sort((one, two) => two[1] - one[1]);
    $("kinds").textContent = found.length
      ? `Of these: ${found.map(([kind, number]) => `${number.toLocaleString("en")} ${kind}`).join(", ")}`
      : "";
  };
  const readAnswers = async (mine) => {
    for (let first = 0; first < items.length; first += index.portion) {
      if (mine !== run) return;
      const read = await portion(first / index.portion);
      read.forEach((data, i) => { items[first + i].said = data.output.toLowerCase(); });
      $("count").textContent = `reading answers: ${Math.round((100 * first) / items.length)} %`;
    }
  };
  const filter = async () => {
    const mine = ++run;
    const words = $("q").value.toLowerCase().split(/\s+/).filter(Boolean);
    if ($("f-answers").checked && words.length && items[items.length - 1].said === undefined) {
      await readAnswers(mine);
      if (mine !== run) return;
    }
    if (!$("f-answers").checked) for (const item of items) item.said = undefined;
    shown = items.filter((item) => matches(item, words));
    tell();
    $("list").scrollTop = 0;
    draw();
  };

  // The list holds rows for what is in view only, so that it does not matter how many there are.
  const height = () => parseFloat(getComputedStyle($("rows")).getPropertyValue("--row"));
  const draw = () => {
    const list = $("list");
    const high = height();
    const first = Math.max(0, Math.floor(list.scrollTop / high) - 5);
    const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / high) + 10);
    $("rows").style.height = `${shown.length * high}px`;
    $("rows").replaceChildren(
      ...shown.slice(first, last).map((item, i) => {
        const row = make("div", undefined, `row ${item.status}`);
        row.id = `row-${item.at}`;
        row.setAttribute("role", "option");
        row.setAttribute("aria-selected", String(item === current));
        row.style.top = `${(first + i) * high}px`;
        row.addEventListener("click", () => open(item));
        return put(row, make("b", `${item.task} ${item.name}`), make("span", item.model), make("small", item.reason));
      }),
    );
    if (!shown.length) {
      const words = $("q").value.trim();
      const all = make("button", "Show all items");
      all.addEventListener("click", () => choose({}));
      const said = make("p", `No item matches ${words ? `\u201c${words}\u201d and ` : ""}what is chosen above. `);
      said.className = "empty";
      $("rows").replaceChildren(put(said, all));
    }
    if (current) list.setAttribute("aria-activedescendant", `row-${current.at}`);
  };
  const reveal = (place) => {
    const list = $("list");
    const high = height();
    if (place * high < list.scrollTop) list.scrollTop = place * high;
    const end = (place + 1) * high - list.clientHeight;
    if (end > list.scrollTop) list.scrollTop = end;
  };
  const save = async () => {
    const lines = [];
    for (const { at, model, task, name, status, kinds, reason } of shown) {
      const item = { model, task, category: name, status, errors: kinds, reason, ...(await details(at)) };
      lines.push(`${JSON.stringify(item)}\n`);
    }
    const link = make("a");
    link.href = URL.createObjectURL(new Blob(lines, { type: "application/jsonl" }));
    link.download = "items.jsonl";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  // One item.
  let step = () => {};
  const notes = (title, found, className) => {
    if (!found.length) return null;
    const list = make("ul", undefined, `notes ${className}`);
    for (const [label, text, more] of found) {
      const line = put(make("li"), make("span", label, "kind"), ` ${text}`);
      for (const each of more) put(line, make("br"), make("small", each));
      put(list, line);
    }
    return put(make("div"), make("h4", title), list);
  };
  const truthTable = (data) => {
    if (!data.truth || !data.truth.length) return null;
    const table = make("table", undefined, "truth");
    const head = put(make("tr"), make("th", "after step"));
    for (const number of data.positions) put(head, make("td", String(number)));
    put(table, head);
    for (const [text, truth] of data.truth) {
      const row = make("tr");
      put(row, make("th", text));
      for (const value of truth) {
        put(row, make("td", value === "1" ? "\u2713" : "", value === "1" ? "true" : "false"));
      }
      put(table, row);
    }
    const wide = put(make("div", undefined, "wide"), table);
    return put(make("div"), make("h4", "Truth of the goal over time"), wide);
  };
  // Where an answer fails: a step, else what a finding is about, else the end of the plan.
  const failingStep = (data, item) => {
    const failed = data.steps.findIndex(([, fate]) => fate === "failed");
    if (failed >= 0) return failed;
    if (item.status === "solved") return 0;
    const numbers = data.findings.map((finding) => finding[3]).filter((number) => number > 0);
    return numbers.length ? Math.min(...numbers) - 1 : data.steps.length - 1;
  };
  const player = (data, pane, first) => {
    if (!data.steps.length) return null;
    const plan = make("ol", undefined, "plan player");
    const changes = make("div", undefined, "changes");
    changes.setAttribute("aria-live", "polite");
    const lines = data.steps.map(([text, fate], i) => {
      const line = make("li", undefined, fate.replace(" ", "-"));
      put(line, make("code", text), " ", make("span", fate, "fate"));
      line.addEventListener("click", () => select(i));
      return line;
    });
    let at = first;
    const select = (place) => {
      at = Math.max(0, Math.min(lines.length - 1, place));
      lines.forEach((line, i) => {
        if (i === at) line.setAttribute("aria-current", "step");
        else line.removeAttribute("aria-current");
      });
      lines[at].scrollIntoView({ block: "nearest" });
      const [added, deleted] = (data.changes && data.changes[at]) || [[], []];
      changes.replaceChildren(make("h4", `Step ${at + 1}`));
      const said = data.findings.filter((finding) => finding[3] === at + 1);
      for (const [label, text, more] of said) {
        const line = put(make("p", undefined, "bad"), make("span", label, "kind"), ` ${text}`);
        for (const each of more) put(line, make("br"), make("small", each));
        put(changes, line);
      }
      for (const text of deleted) put(changes, make("code", `\u2212 ${text}`, "deleted"));
      for (const text of added) put(changes, make("code", `+ ${text}`, "added"));
      if (!said.length && !added.length && !deleted.length) {
        put(changes, make("p", data.changes ? "It changes nothing." : "", "none"));
      }
      for (const cell of pane.querySelectorAll(".truth .now")) cell.classList.remove("now");
      const column = data.positions ? data.positions.lastIndexOf(at + 1) : -1;
      if (column >= 0) {
        for (const row of pane.querySelectorAll(".truth tr")) row.children[column + 1].classList.add("now");
      }
    };
    step = (by) => select(at + by);
    put(plan, ...lines);
    const back = make("button", "previous step");
    const forth = make("button", "next step");
    back.addEventListener("click", () => step(-1));
    forth.addEventListener("click", () => step(1));
    const left = put(make("div"), make("h4", "Plan as it was read"), plan, back, " ", forth);
    return { node: put(make("div", undefined, "sides"), left, changes), start: () => select(at) };
  };
  const matchTable = (data) => {
    if (!data.matches.length) return null;
    const table = make("table", undefined, "truth");
    const cells = (tag, row) => put(make("tr"), ...row.map((cell) => make(tag, String(cell))));
    put(table, cells("th", ["", "right", "wrong", "left out"]));
    for (const row of data.matches) put(table, cells("td", row));
    return put(make("div"), make("h4", "Compared with the annotation"), put(make("div", undefined, "wide"), table));
  };
  const address = (item) => `#${encodeURIComponent(item.model)}/${encodeURIComponent(item.task)}`;
  const button = (text, act) => {
    const made = make("button", text);
    made.addEventListener("click", act);
    return made;
  };
  const open = async (item) => {
    current = item;
    step = () => {};
    const data = await details(item.at);
    if (current !== item) return;
    const pane = $("item");
    const bar = make("nav", undefined, "bar-of-item");
    const link = make("a", "link to this item");
    link.href = address(item);
    const back = button("\u2190 items", close);
    back.className = "back";
    const place = shown.indexOf(item);
    put(bar, back, button("previous", () => move(-1)), button("next", () => move(1)));
    put(bar, place >= 0 && make("span", `${(place + 1).toLocaleString("en")} of ${shown.length.toLocaleString("en")} items`), link);
    const played = player(data, pane, failingStep(data, item));
    const output = make("pre", data.output || "(empty)");
    pane.replaceChildren();
    put(
      pane,
      bar,
      put(make("h3"), make("bdi", item.task), ` ${item.name}`),
      put(make("p"), make("span", `${item.model}: ${item.status}`, "kind"), item.reason && item.status !== "solved" ? ` (${item.reason})` : ""),
      data.instruction && make("p", data.instruction),
      played && played.node,
      put(
        make("div", undefined, "sides"),
        notes("What is wrong", data.findings, "bad"),
        data.repair && notes("The least repair", data.repair.map((edit) => ["", edit, []]), "good"),
        notes("Not met", data.unmet, "bad"),
        notes("Met", data.met, "good"),
        data.formula && notes("The goal as a formula", [data.formula], ""),
        matchTable(data),
      ),
      truthTable(data),
      data.remarks.length ? notes("Remarks", data.remarks.map((text) => ["", text, []]), "") : null,
      put(make("div"), make("h4", "Answer"), output, data.cut && make("small", data.cut)),
    );
    history[pane.open || location.hash === address(item) ? "replaceState" : "pushState"](null, "", address(item));
    if (!pane.open) pane.showModal();
    pane.scrollTop = 0;
    // Only what is shown can be scrolled to.
    if (played) played.start();
    if (place >= 0) reveal(place);
    draw();
    pane.focus({ preventScroll: true });
  };
  const close = () => {
    if ($("item").open) $("item").close();
  };
  $("item").addEventListener("close", () => {
    history.replaceState(null, "", "#items");
    $("items").scrollIntoView();
    $("list").focus({ preventScroll: true });
  });
  const move = (by) => {
    if (!shown.length) return;
    open(shown[Math.max(0, Math.min(shown.length - 1, shown.indexOf(current) + by))]);
  };
  const follow = () => {
    const [model, task] = location.hash.slice(1).split("/").map(decodeURIComponent);
    const linked = items.find((item) => item.model === model && item.task === task);
    if (linked) return linked === current && $("item").open ? undefined : open(linked);
    return close();
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (typing || event.key === "Escape") return;
    if (event.key === "/") {
      close();
      $("q").focus();
    }
    else if (event.key === "j" || (event.key === "ArrowDown" && event.target === $("list"))) move(1);
    else if (event.key === "k" || (event.key === "ArrowUp" && event.target === $("list"))) move(-1);
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
    else return;
    event.preventDefault();
  });
  for (const id of [...CHOICES, "f-answers"]) $(id).addEventListener("change", filter);
  $("q").addEventListener("input", filter);
  $("list").addEventListener("scroll", draw, { passive: true });
  $("save").addEventListener("click", save);
  for (const bar of document.querySelectorAll(".errors button")) {
    bar.addEventListener("click", () => {
      const { model, kind } = bar.dataset;
      choose({ "f-model": model, [kind === "solved" ? "f-status" : "f-kind"]: kind });
      $("items").scrollIntoView();
    });
  }
  addEventListener("resize", draw);
  addEventListener("popstate", follow); // links to items, and the browser's way back

  $("no-items").hidden = true;
  $("items").hidden = false;
  choose(items.some((item) => item.status === "failed") ? { "f-status": "failed" } : {});
  await follow();
})();
