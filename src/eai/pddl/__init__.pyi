from .check import (
    check_condition as check_condition,
    check_domain as check_domain,
    check_operator as check_operator,
    check_problem as check_problem,
    impossible_actions as impossible_actions,
    polarities as polarities,
    reachable as reachable,
    recursion_through_negation as recursion_through_negation,
)
from .goals import format_bddl as format_bddl, parse_pddl3 as parse_pddl3, read_bddl as read_bddl
from .issues import Issue as Issue
from .model import (
    TOTAL_COST as TOTAL_COST,
    AddEffect as AddEffect,
    AndEffect as AndEffect,
    Axiom as Axiom,
    Clause as Clause,
    CostClause as CostClause,
    CostEffect as CostEffect,
    DeleteEffect as DeleteEffect,
    Domain as Domain,
    Effect as Effect,
    ForallEffect as ForallEffect,
    Function as Function,
    Named as Named,
    Operator as Operator,
    Predicate as Predicate,
    Problem as Problem,
    WhenEffect as WhenEffect,
    clauses as clauses,
    cost_clauses as cost_clauses,
    literal_effects as literal_effects,
)
from .phrases import with_phrases as with_phrases
from .reader import (
    ReadOperator as ReadOperator,
    check_files as check_files,
    load_domain as load_domain,
    load_problem as load_problem,
    parse_condition as parse_condition,
    parse_domain as parse_domain,
    parse_problem as parse_problem,
    read_actions as read_actions,
    read_domain as read_domain,
    read_file as read_file,
    read_problem as read_problem,
)
from .writer import (
    TaskText as TaskText,
    format_condition as format_condition,
    format_domain as format_domain,
    format_problem as format_problem,
    format_task as format_task,
)
