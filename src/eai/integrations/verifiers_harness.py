"""The way to a model: a harness of verifiers that needs no installation and no sandbox."""

from __future__ import annotations

from typing import Any

import httpx
import verifiers.v1 as vf
from verifiers.v1.dialects.chat import message_to_wire


class OneRequest(vf.Harness[vf.HarnessConfig]):
    """A harness that sends one request per turn with only that turn's messages.

    It runs in this process, so nothing is installed and no sandbox is started. While acting, the
    messages of a turn tell what happened before, so earlier ones are not sent again.
    """

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,  # noqa: ARG002  # the signature is that of verifiers
        runtime: vf.Runtime,  # noqa: ARG002
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],  # noqa: ARG002
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Send the prompt to the endpoint, which records the answer."""
        system, prompt = self.resolve_prompt(data)
        messages = []
        if system:
            messages.append({"role": "system", "content": system})
        # A prompt is a text, or messages: those of a turn of an episode.
        if isinstance(prompt, str):
            messages.append({"role": "user", "content": prompt})
        else:
            messages += map(message_to_wire, prompt or ())
        body = {"model": ctx.model, "messages": messages}
        headers = {"Authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113  # agents have limits
            reply = await client.post(f"{endpoint}/chat/completions", json=body, headers=headers)
        return vf.ProgramResult(exit_code=int(reply.is_error), stdout="", stderr=reply.text)

    async def resume(self, *arguments: Any) -> vf.ProgramResult:  # noqa: ANN401
        """Send the messages of the next turn."""
        # The arguments of `launch`, then the messages, and what later versions may add.
        ctx, trace, runtime, endpoint, secret, mcp_urls, data, messages, *_ = arguments
        data = data.model_copy(update={"prompt": messages})
        return await self.launch(ctx, trace, runtime, endpoint, secret, mcp_urls, data)
