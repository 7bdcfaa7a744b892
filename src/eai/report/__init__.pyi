from .aggregate import PARTS as PARTS, Counting as Counting, Tally as Tally
from .agreement import (
    id_of as id_of,
    kappa as kappa,
    kappa_interval as kappa_interval,
    kappa_rows as kappa_rows,
    score_records as score_records,
    verdict_tables as verdict_tables,
)
from .columns import WrittenColumns as WrittenColumns, write_columns as write_columns
from .comparison import Comparison as Comparison, Difference as Difference
from .explanation import (
    Explanation as Explanation,
    behaviours_of as behaviours_of,
    explain as explain,
    suite_of as suite_of,
)
from .frames import length_bins as length_bins, range_text as range_text
from .intervals import rate_interval as rate_interval
from .leaderboard import (
    Leaderboard as Leaderboard,
    Published as Published,
    merged as merged,
    read_published as read_published,
)
from .metrics import view_of as view_of
from .metrics.view import View as View, by_group as by_group
from .page.details import (
    Details as Details,
    Reader as Reader,
    details_reader as details_reader,
    reader_of as reader_of,
)
from .record import Record as Record
from .records import (
    RecordFile as RecordFile,
    read_records as read_records,
    record_from_json as record_from_json,
    record_to_json as record_to_json,
    records_digest as records_digest,
    run_description as run_description,
)
from .report import Report as Report, report_of as report_of
from .results import Setting as Setting, require_results as require_results
from .rule_counts import RuleCounts as RuleCounts, rule_counts as rule_counts
from .run_columns import (
    RunColumn as RunColumn,
    RunTable as RunTable,
    metric_value as metric_value,
    run_table as run_table,
)
from .scoring import Metric as Metric, PassAt as PassAt, Score as Score, metric as metric
from .statistics import wilson as wilson
from .tables import interval_note as interval_note
from .usage import COST as COST, UsageSums as UsageSums
