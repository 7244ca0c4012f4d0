"""What C programs do with memory, written as small patterns with random parts.

Free random choice would rarely stay defined here, so each pattern keeps its own promise: pointers
stay inside their array, memory is initialised before it is read and freed once.
"""

from __future__ import annotations

from fuzz import expressions, places
from fuzz.absorb import absorb
from fuzz.calls import NothingFits, address, argument, struct_value
from fuzz.context import Context, Function, Maker, Scope, Var
from fuzz.expressions import expression
from fuzz.statements import DEPTH, Lines, indent
from fuzz.types import INT, Array, CType, Int, Pointer, Struct, declare, has_pointer


def _value(ctx: Context, scope: Scope, depth: int = 2) -> str:
    return expression(ctx, scope.owning(), depth).text


def _loud(scope: Scope) -> None:
    """Patterns that change the checksum or the heap have no place in a pure function."""
    if scope.pure:
        raise NothingFits


def _arrays(scope: Scope, writable: bool) -> list[Var]:
    return [
        v
        for v in scope.vars
        if isinstance(v.type, Array)
        and isinstance(v.type.item, Int)
        and (v.writable or not writable)
    ]


def _array(ctx: Context, scope: Scope, writable: bool) -> tuple[Var, Int, int]:
    found = _arrays(scope, writable)
    if not found:
        raise NothingFits
    var = ctx.pick(found)
    assert isinstance(var.type, Array)
    assert isinstance(var.type.item, Int)
    return var, var.type.item, var.type.size


def walk(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A pointer runs through an array, forwards or backwards."""
    _loud(scope)
    var, item, size = _array(ctx, scope, writable=True)
    p, end = ctx.fresh("p"), ctx.fresh("e")
    ctx.budget.spend(3 * size)
    value = _value(ctx, scope.hide(var))
    head = [f"{item.name} *{p} = {var.name}, *{end} = {var.name} + {size};"]
    styles = [
        [f"while ({p} < {end}) *{p}++ = {value};"],
        [f"while ({p} != {end}) {{ mix(*{p}); {p} += 1; }}", f"mix({p}[-1]);"],
        [f"while ({end} > {p}) {{ --{end}; *{end} ^= {value}; }}", f"mix({end} - {p});"],
        [f"for (; {p} < {end} - 1; {p}++) {{ *({p} + 1) += {p}[0]; mix({end} - {p}); }}"],
        [f"while ({p} < {end}) mix((*{p}++)++);"],
        [f"while ({end} - {p} > 1) mix(*++{p});", f"mix({p} - {var.name});"],
    ]
    return ["{", *indent([*head, *ctx.pick(styles)]), "}"], scope


def rows(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A pointer to the rows of a matrix."""
    _loud(scope)
    found = [
        v
        for v in scope.vars
        if isinstance(v.type, Array) and isinstance(v.type.item, Array) and v.writable
    ]
    if not found:
        raise NothingFits
    var = ctx.pick(found)
    assert isinstance(var.type, Array)
    row, p = var.type.item, ctx.fresh("p")
    assert isinstance(row, Array)
    ctx.budget.spend(6 * row.size)
    lines = [f"{declare(Pointer(row), p)} = {var.name} + {ctx.number(0, var.type.size - 1)};"]
    part: CType = row
    text = f"(*{p})"
    while isinstance(part, Array):
        text += f"[{expressions.index(ctx, scope.owning(), part.size, 1)}]"
        part = part.item
    if isinstance(part, Int):
        lines += [f"{text} = {_value(ctx, scope)};", f"mix(sizeof *{p} / sizeof **{p});"]
    lines += absorb(ctx, row, f"(*{p})")
    lines += [f"mix({p} - {var.name});", f"mix(&{p}[0] == &{var.name}[0]);"]
    return ["{", *indent(lines), "}"], scope


def indirection(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A pointer to a pointer changes what the pointer points at, and the target itself."""
    _loud(scope)
    type = ctx.int_type()
    target = Pointer(type)
    p, pp = ctx.fresh("p"), ctx.fresh("pp")
    first = address(ctx, scope.owning(), target, scope.level, 1)
    second = address(ctx, scope.owning(), target, scope.level, 1)
    lines = [f"{declare(target, p)} = {first};", f"{declare(Pointer(target), pp)} = &{p};"]
    lines += [f"**{pp} = {_value(ctx, scope)};", f"*{pp} = {second};", f"mix(**{pp});"]
    lines += [f"(*{p})++;", f"mix(*{p} == **{pp});"]
    return ["{", *indent(lines), "}"], scope


def heap_array(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """An array from the heap: filled, summed up, grown, freed."""
    _loud(scope)
    type, size = ctx.int_type(), ctx.number(2, 5)
    h, i, total = ctx.fresh("h"), ctx.fresh("i"), ctx.fresh("t")
    counter = Var(i, INT, scope.level + 1, private=True, writable=False, below=size)
    ctx.budget.spend(5 * size)
    fill = _value(ctx, scope.declare(counter))
    make = [f"{type.name} *{h} = malloc({size} * sizeof(*{h}));"]
    make += [f"for (int {i} = 0; {i} < {size}; {i}++) {h}[{i}] = {fill};"]
    if ctx.chance(0.3):
        make = [f"{type.name} *{h} = calloc({size}, sizeof({type.name}));"]
        make += [f"{h}[{ctx.number(0, size - 1)}] = {_value(ctx, scope)};"]
    if ctx.chance(0.3):
        make += [f"{h} = realloc({h}, {size + 1} * sizeof(*{h}));", f"{h}[{size}] = {h}[0];"]
        size += 1
    lines = [*make, f"unsigned long long {total} = 0;"]
    lines += [f"for (int {i} = {size} - 1; {i} >= 0; {i}--) {total} = {total} * 31 + {h}[{i}];"]
    lines += [f"mix({total});", f"free({h});"]
    return ["{", *indent(lines), "}"], scope


def heap_list(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A linked list on the heap: built, perhaps reversed, read and freed."""
    _loud(scope)
    length = ctx.number(1, 5)
    head, n, i = ctx.fresh("head"), ctx.fresh("n"), ctx.fresh("i")
    counter = Var(i, INT, scope.level + 1, private=True, writable=False, below=length)
    ctx.budget.spend(16 * length)
    value = _value(ctx, scope.declare(counter))
    lines = [f"struct node *{head} = 0;", f"for (int {i} = 0; {i} < {length}; {i}++) {{"]
    lines += [f"    struct node *{n} = malloc(sizeof(struct node));"]
    lines += [f"    {n}->value = {value};", f"    {n}->next = {head};", f"    {head} = {n};", "}"]
    if ctx.chance(0.5):
        lines += [f"struct node *r{head} = 0;", f"while ({head}) {{"]
        lines += [f"    struct node *{n} = {head}->next;", f"    {head}->next = r{head};"]
        lines += [f"    r{head} = {head};", f"    {head} = {n};", "}", f"{head} = r{head};"]
    lines += [f"for (struct node *{n} = {head}; {n} != 0; {n} = {n}->next) mix({n}->value);"]
    lines += [f"while ({head}) {{", f"    struct node *{n} = {head};"]
    lines += [f"    {head} = {head}->next;", f"    free({n});", "}"]
    return ["{", *indent(lines), "}"], scope


def union_bytes(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A union is read as the member last written, and byte by byte."""
    _loud(scope)
    u, i = ctx.fresh("u"), ctx.fresh("i")
    member = ctx.pick(("c", "s", "i", "l", "ll", "p.x", "p.y[1]"))
    base = member.split(".")[0]
    ctx.budget.spend(12)
    start = f".{base} = {_value(ctx, scope)}" if base != "p" else ".p = {1, {2, 3}}"
    lines = [f"union cell {u} = {{{start}}};", f"{u}.{member} ^= {_value(ctx, scope)};"]
    lines += [f"mix({u}.{member});"]
    if base != "p":
        lines += [f"for (unsigned {i} = 0; {i} < sizeof({u}.{member}); {i}++) mix({u}.bytes[{i}]);"]
        lines += [f"{u}.bytes[0] = {_value(ctx, scope)};", f"mix({u}.{member});"]
    lines += [f"{u}.i = {_value(ctx, scope)};", f"union cell c{u} = {u};", f"mix(c{u}.i);"]
    return ["{", *indent(lines), "}"], scope


def tagged(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """The global variant is given another kind of content; its tag says which."""
    _loud(scope)
    member = ctx.pick(("0 c", "1 s", "2 i", "3 l", "4 ll")).split()
    ctx.budget.spend(8)
    lines = [f"variant.tag = {member[0]};", f"variant.u.{member[1]} = {_value(ctx, scope)};"]
    return [*lines, "mix_variant(&variant);"], scope


def copy_bytes(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """memcpy, memmove and memset on a local copy of an array."""
    _loud(scope)
    var, item, size = _array(ctx, scope, writable=False)
    copy = ctx.fresh("a")
    ctx.budget.spend(4 * size)
    lines = [f"{item.name} {copy}[{size}];", f"memcpy({copy}, {var.name}, sizeof {copy});"]
    keep = ctx.number(1, size)
    if ctx.chance(0.5):
        lines += [f"memmove({copy} + 1, {copy}, {size - 1} * sizeof({item.name}));"]
    # A _Bool may only hold 0 or 1.
    byte = 0 if item.rank == 0 else ctx.number(-2, 255)
    if ctx.chance(0.5):
        lines += [f"memset({copy}, {byte}, {keep} * sizeof({item.name}));"]
    lines += absorb(ctx, Array(item, size), copy)
    lines += [f"mix(memcmp({copy}, {var.name}, sizeof {copy}) == 0);"]
    return ["{", *indent(lines), "}"], scope


def copy_struct(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A structure is copied whole, changed through a pointer, and copied back as bytes."""
    _loud(scope)
    if not ctx.structs:
        raise NothingFits
    type = ctx.pick(ctx.structs)
    first, second, p = ctx.fresh("s"), ctx.fresh("s"), ctx.fresh("p")
    lines = [f"struct {type.tag} {first} = {struct_value(ctx, scope.owning(), type, 2)};"]
    lines += [f"struct {type.tag} {second}, *{p} = &{second};", f"{second} = {first};"]
    member = ctx.pick(type.members)
    if isinstance(member.type, Int):
        lines += [f"{p}->{member.name} = {_value(ctx, scope)};"]
        lines += [f"mix((*{p}).{member.name} == {first}.{member.name});"]
    lines += [f"memcpy(&{first}, {p}, sizeof {first});"]
    lines += absorb(ctx, type, first)
    return ["{", *indent(lines), "}"], scope


def text(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """Strings in a buffer that is large enough."""
    _loud(scope)
    letters = "".join(ctx.pick("abxyz09 ") for _ in range(ctx.number(1, 8)))
    other = ctx.pick((letters, letters[:-1], "b", "zz", letters + "a"))
    b, i = ctx.fresh("b"), ctx.fresh("i")
    ctx.budget.spend(4 * len(letters) + 20)
    lines = [f'char {b}[24] = "{letters}";', f"mix(strlen({b}));"]
    lines += [f'mix(strcmp({b}, "{other}") < 0);', f'mix(strncmp({b}, "{other}", 2) == 0);']
    if ctx.chance(0.5):
        lines += [f'strcat({b}, "{other}");', f"{b}[{ctx.number(0, 3)}] |= 1;"]
    if ctx.chance(0.5):
        lines += [f'strcpy({b} + 1, "{other}");', f"mix(strchr({b}, 'z') != 0);"]
    lines += [f"for (int {i} = 0; {b}[{i}]; {i}++) mix({b}[{i}]);"]
    return ["{", *indent(lines), "}"], scope


def function_pointer(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A variable that holds one of several functions."""
    _loud(scope)
    groups = [g for g in ctx.groups if ctx.budget.affords(2 * max(f.cost for f in g))]
    if not groups:
        raise NothingFits
    group = ctx.pick(groups)
    f = ctx.fresh("f")
    one, two = (ctx.pick(group) for _ in range(2))
    ctx.budget.spend(2 * max(g.cost for g in group))
    lines = [f"{pointer_to(one, f)} = {one.name};", f"mix({f}({_arguments(ctx, scope, one)}));"]
    lines += [f"{f} = {_value(ctx, scope)} ? &{two.name} : {f};"]
    lines += [f"mix((*{f})({_arguments(ctx, scope, two)}));", f"mix({f} == {one.name});"]
    return ["{", *indent(lines), "}"], scope


def pointer_to(function: Function, name: str) -> str:
    """The declaration of a pointer to a function of this type."""
    assert function.result is not None
    params = ", ".join(declare(p, "") for p in function.params) or "void"
    return declare(function.result, f"(*{name})({params})")


def _arguments(ctx: Context, scope: Scope, function: Function) -> str:
    return ", ".join(argument(ctx, scope.owning(), t, 1) for t in function.params)


def struct_walk(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A pointer runs through an array of structures."""
    _loud(scope)
    found = [
        v
        for v in scope.vars
        if isinstance(v.type, Array) and isinstance(v.type.item, Struct) and v.writable
    ]
    if not found:
        raise NothingFits
    var = ctx.pick(found)
    assert isinstance(var.type, Array)
    item, size = var.type.item, var.type.size
    assert isinstance(item, Struct)
    p = ctx.fresh("p")
    ctx.budget.spend(12 * size)
    lines = [f"for (struct {item.tag} *{p} = {var.name}; {p} < &{var.name}[{size}]; {p}++) {{"]
    for member in item.members:
        if isinstance(member.type, Int) and ctx.chance(0.6):
            change = ctx.pick(("{} = {};", "mix({} == {});", "{}++;"))
            if member.type.rank > INT.rank and member.bits is not None:
                change = "{} = {};"
            place = f"{p}->{member.name}"
            lines.append("    " + change.format(place, _value(ctx, scope.hide(var), 1)))
    lines += [f"    mix_{item.tag}({p});", f"    mix({p} - {var.name});", "}"]
    return lines, scope


def literal_address(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A pointer to a compound literal, which lives as long as its block."""
    _loud(scope)
    plain = [s for s in ctx.structs if not has_pointer(s)]
    p = ctx.fresh("p")
    if plain and ctx.chance(0.5):
        type = ctx.pick(plain)
        lines = [f"struct {type.tag} *{p} = &(struct {type.tag}){{0}};"]
        lines += [f"*{p} = {struct_value(ctx, scope.owning(), type, 2)};", f"mix_{type.tag}({p});"]
    else:
        item = ctx.int_type()
        lines = [f"{item.name} *{p} = ({item.name}[4]){{{_value(ctx, scope)}, 2, [3] = 7}};"]
        lines += [f"{p}[2] = {_value(ctx, scope)};", *absorb(ctx, Array(item, 4), p)]
    ctx.budget.spend(12)
    return ["{", *indent(lines), "}"], scope


def pick_address(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A function returns one of two addresses; the object behind it is changed."""
    _loud(scope)
    places_of_int = places.pointable(scope, INT, scope.level, const=False)
    if not places_of_int:
        raise NothingFits
    pointer = Pointer(INT)
    one, two = (address(ctx, scope.owning(), pointer, scope.level, 1) for _ in range(2))
    op = ctx.pick(("=", "+=", "^="))
    choice = _value(ctx, scope, 1)
    return [f"*pick_int({one}, {two}, {choice}) {op} {_value(ctx, scope)};"], scope


def variadic(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """A call with arguments beyond the parameters, each of which is promoted to int."""
    _loud(scope)
    count = ctx.number(0, 5)
    ctx.budget.spend(2 * count + 5)
    kinds = [ctx.pick(("int", "short", "unsigned char", "_Bool")) for _ in range(count)]
    rest = "".join(f", ({kind}){_value(ctx, scope, 1)}" for kind in kinds)
    return [f"mix(total({count}{rest}));"], scope


def variable_length(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """An array whose length is known only when the program runs, and types taken from it."""
    _loud(scope)
    type = ctx.int_type()
    n, a, i, last = (ctx.fresh(prefix) for prefix in ("n", "a", "i", "x"))
    ctx.budget.spend(15)
    lines = [f"int {n} = ({_value(ctx, scope, 1)} & 3) + 1;", f"{type.name} {a}[{n}];"]
    lines += [f"for (int {i} = 0; {i} < {n}; {i}++) {a}[{i}] = {_value(ctx, scope)};"]
    lines += [f"{n} = 9;", f"mix(sizeof {a} / sizeof {a}[0]);"]
    lines += [f"__typeof__({a}[0]) {last} = {a}[sizeof {a} / sizeof {a}[0] - 1];", f"mix({last});"]
    return ["{", *indent(lines), "}"], scope


def checkpoint(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """Some variables go into the checksum."""
    _loud(scope)
    found = [v for v in scope.vars if v.level > 0]
    if not found:
        raise NothingFits
    var = ctx.pick(found)
    return absorb(ctx, var.type, var.name), scope


def mixed(ctx: Context, scope: Scope) -> tuple[Lines, Scope]:
    """The value of an expression goes into the checksum."""
    _loud(scope)
    return [f"mix({expression(ctx, ctx.full(scope), DEPTH).text});"], scope


MAKERS: list[tuple[int, Maker]] = [
    (2, walk),
    (1, rows),
    (2, indirection),
    (1, heap_array),
    (1, heap_list),
    (2, union_bytes),
    (1, tagged),
    (1, copy_bytes),
    (2, copy_struct),
    (1, text),
    (2, function_pointer),
    (2, struct_walk),
    (1, literal_address),
    (1, pick_address),
    (1, variadic),
    (1, variable_length),
    (4, checkpoint),
    (10, mixed),
]
