from .table import (
    ELSEWHERE as ELSEWHERE,
    UNREAD as UNREAD,
    Amount as Amount,
    Cell as Cell,
    Column as Column,
    Measured as Measured,
    Points as Points,
    Probability as Probability,
    Table as Table,
    plain as plain,
    whole_numbers as whole_numbers,
)
