"""Weak topological order [Bou93]: loops stay together, their heads come first.

Always working on the first unstable location in this order makes an inner loop stable before
anything behind it is looked at again.

>>> weak_topological_order([[1], [2, 3], [1], []], 0)  # 0 -> loop 1, 2 -> 3
[0, 1, 2, 3]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def weak_topological_order(successors: Sequence[Sequence[int]], root: int) -> list[int]:
    """The nodes reachable from `root`, each loop a contiguous piece that begins with its head."""
    result: list[int] = []
    work: list[tuple[list[int], int | None]] = [(_reachable(successors, root), root)]
    while work:
        nodes, first = work.pop()
        if len(nodes) == 1:
            result.append(nodes[0])
            continue
        if first is not None:
            inside = set(nodes)
            roots = [first] + [n for n in nodes if n != first]
            parts = list(_components(successors, inside, roots))
            work += [(part, None) for part in parts]
            continue
        # A loop: its head is the node entered first; without it the rest falls into smaller parts.
        head, rest = nodes[0], nodes[1:]
        inside = set(rest)
        roots = [n for n in successors[head] if n in inside] + rest
        parts = list(_components(successors, inside, roots))
        result.append(head)
        work += [(part, None) for part in parts]
    return result


def _reachable(successors: Sequence[Sequence[int]], root: int) -> list[int]:
    seen = {root}
    stack = [root]
    while stack:
        for n in successors[stack.pop()]:
            if n not in seen:
                seen.add(n)
                stack.append(n)
    return sorted(seen)


def _components(
    successors: Sequence[Sequence[int]], inside: set[int], roots: Sequence[int]
) -> Iterator[list[int]]:
    """Strongly connected components [Tar72], last in topological order first.

    In each component the nodes stand in the order in which the search met them.
    """
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    for root in roots:
        if root in index:
            continue
        stack: list[tuple[int, Iterator[int]]] = []

        def begin(node: int) -> tuple[int, Iterator[int]]:
            index[node] = low[node] = len(index)
            path.append(node)
            on_path.add(node)
            return node, iter(successors[node])

        stack.append(begin(root))
        while stack:
            node, rest = stack[-1]
            for n in rest:
                if n not in inside:
                    continue
                if n not in index:
                    stack.append(begin(n))
                    break
                if n in on_path:
                    low[node] = min(low[node], index[n])
            else:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    component = [path.pop()]
                    while component[-1] != node:
                        component.append(path.pop())
                    on_path.difference_update(component)
                    yield component[::-1]
