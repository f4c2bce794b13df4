"""The Triton kernels of the Gumbel Tree-LSTM: everything between the matrix products of `gpu`.

Between two matrix products one kernel does the rest of a level. A program is one sequence, so it can
compose, score, choose and move up at once, and no two programs touch the same row.
Numbers are stored in the precision of the weights (bf16 under autocast); sums, scores and c in float32
(or float64).
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def _sigmoid(x):
    return 1 / (1 + tl.exp(-x))


@triton.jit
def _tanh(x):
    return 2 / (1 + tl.exp(-2 * x)) - 1


@triton.jit
def _gate(as_left, as_right, bias, inside, acc: tl.constexpr):
    """A gate before its activation: the products of both children and the bias."""
    left, right = tl.load(as_left, inside, 0).to(acc), tl.load(as_right, inside, 0).to(acc)
    return left + right + tl.load(bias, inside, 0)


@triton.jit
def _compose(
    k, left, right, wanted, has_place,
    products, node_c, bias, query, cand_h, cand_c, gates, scores,
    children, D: tl.constexpr, BLOCK: tl.constexpr, KEEP: tl.constexpr,
):  # fmt: skip
    """Compose and store candidate k, the parent of two nodes (Eq. 2-4), if wanted; returns h, c and score.

    The slot of a candidate that is not wanted gets -1 for its children.
    """
    d = tl.arange(0, BLOCK)
    inside = (d < D) & wanted
    k, left, right = k.to(tl.int64), left.to(tl.int64), right.to(tl.int64)
    acc = node_c.dtype.element_ty
    as_left, as_right = products + left * (10 * D) + d, products + right * (10 * D) + 5 * D + d
    i = _gate(as_left, as_right, bias + d, inside, acc)
    f = _gate(as_left + D, as_right + D, bias + D + d, inside, acc)
    s = _gate(as_left + 2 * D, as_right + 2 * D, bias + 2 * D + d, inside, acc)
    o = _gate(as_left + 3 * D, as_right + 3 * D, bias + 3 * D + d, inside, acc)
    g = _gate(as_left + 4 * D, as_right + 4 * D, bias + 4 * D + d, inside, acc)
    # +1: a new node starts out remembering its children.
    i, f, s, o, g = _sigmoid(i), _sigmoid(f + 1), _sigmoid(s + 1), _sigmoid(o), _tanh(g)
    c = i * g + f * tl.load(node_c + left * D + d, inside, 0) + s * tl.load(node_c + right * D + d, inside, 0)
    h = o * _tanh(c)
    score = tl.sum(tl.where(inside, h * tl.load(query + d, inside, 0), 0), 0)
    narrow = cand_h.dtype.element_ty
    tl.store(cand_h + k * D + d, h.to(narrow), inside)
    tl.store(cand_c + k * D + d, c, inside)
    tl.store(scores + k, score, wanted)
    tl.store(children + 2 * k, tl.where(wanted, left, -1).to(tl.int32), has_place)
    tl.store(children + 2 * k + 1, tl.where(wanted, right, -1).to(tl.int32), has_place)
    if KEEP:
        to = gates + k * (5 * D) + d
        tl.store(to, i.to(narrow), inside)
        tl.store(to + D, f.to(narrow), inside)
        tl.store(to + 2 * D, s.to(narrow), inside)
        tl.store(to + 3 * D, o.to(narrow), inside)
        tl.store(to + 4 * D, g.to(narrow), inside)
    return h, c, score


@triton.jit(do_not_specialize=["rows", "unused"])
def plan_rows(
    lengths, level_nodes, order, sorted_lengths, roots, pairs, leaf_table, cand_table, item_row, item_place,
    rows, unused, BLOCK: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """The tables of `plan.ForestPlan` for sequences of these lengths; 0: an empty row.

    A program plans BLOCK rows: it compares them with all others, which is faster than sorting so few.
    """
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = row < rows
    length = tl.load(lengths + row, inside, 0).to(tl.int32)
    rank, start, pair = (
        tl.zeros([BLOCK], tl.int32),
        tl.zeros([BLOCK], tl.int32),
        tl.zeros([BLOCK], tl.int32),
    )
    for first in range(0, rows, BLOCK):
        other = first + tl.arange(0, BLOCK)
        there = (other < rows)[None, :]
        its = tl.load(lengths + other, other < rows, 0).to(tl.int32)[None, :]
        earlier = there & (other[None, :] < row[:, None])
        ahead = there & ((its > length[:, None]) | ((its == length[:, None]) & earlier))
        rank += tl.sum(ahead.to(tl.int32), 1)
        start += tl.sum(tl.where(earlier, its, 0), 1)
        pair += tl.sum(tl.where(ahead, tl.maximum(its - 1, 0), 0), 1)
    merged = tl.load(level_nodes + tl.maximum(length - 1, 0), inside, 0).to(tl.int32) + rank
    tl.store(order + rank, row, inside)
    tl.store(sorted_lengths + rank, tl.maximum(length, 1), inside)
    tl.store(roots + row, tl.where(length > 1, merged, tl.where(length > 0, start, unused)), inside)
    place = tl.arange(0, WIDTH)[None, :]
    leaf, cand = start[:, None] + place, pair[:, None] + place
    at = rank[:, None] * WIDTH + place
    tl.store(leaf_table + at, leaf, inside[:, None])
    tl.store(cand_table + at, cand, inside[:, None])
    tl.store(pairs + cand, leaf, inside[:, None] & (place < length[:, None] - 1))
    real = inside[:, None] & (place < length[:, None])
    tl.store(item_row + leaf, row[:, None] + tl.zeros_like(leaf), real)
    tl.store(item_place + leaf, place + tl.zeros_like(leaf), real)


@triton.jit
def compose_leaves(
    pairs,
    products, node_c, bias, query, cand_h, cand_c, gates, scores,
    children, D: tl.constexpr, BLOCK: tl.constexpr, KEEP: tl.constexpr,
):  # fmt: skip
    """The initial candidates: candidate k joins leaf pairs[k] with the next one; -1: an empty slot."""
    k = tl.program_id(0)
    left = tl.load(pairs + k)
    _compose(
        k, left, left + 1, left >= 0, True,
        products, node_c, bias, query, cand_h, cand_c, gates, scores, children, D, BLOCK, KEEP,
    )  # fmt: skip


# Numbers that differ between launches: Triton must not compile a kernel for each kind of them.
_COUNTS = ("level", "rows", "levels", "first_node", "first_cand", "next_cand", "first_merge", "arrived_rows")
_STRIDES = ("noise_row", "noise_level")


@triton.jit(do_not_specialize=_COUNTS + _STRIDES)
def level_forward(
    level, rows, levels, first_node, first_cand, next_cand,
    lengths, order, node_table, cand_table, merges, noise, noise_row,
    noise_level, last, nearest, losses, wanted, node_h,
    products, node_c, bias, query, cand_h, cand_c, gates, scores,
    children, D: tl.constexpr, BLOCK: tl.constexpr, KEEP: tl.constexpr,
    WIDTH: tl.constexpr, NOISE: tl.constexpr, TAUGHT: tl.constexpr,
):  # fmt: skip
    """One merge in every unfinished sequence.

    Compose the two pairs that contain the new node of the last level, choose a pair, make it a node, and
    write the tables of nodes and candidates one level up. New numbers are known beforehand: node
    first_node + row, candidates next_cand + 2 row and the one after it. TAUGHT: as `cpu.Lesson` chooses; its
    losses (rows,) and the gradients of the scores (levels, rows, WIDTH) are written.
    """
    row = tl.program_id(0)
    acc = node_c.dtype.element_ty
    pairs = tl.load(lengths + row) - 1 - level
    original = tl.load(order + row).to(tl.int64)
    place = tl.arange(0, WIDTH)
    valid = place < pairs
    nodes = node_table + (level.to(tl.int64) * rows + row) * WIDTH
    cands = cand_table + (level.to(tl.int64) * rows + row) * WIDTH
    cand = tl.load(cands + place, valid, 0)
    score = tl.load(scores + cand, valid, 0)
    before = tl.where(level > 0, tl.load(merges + original * levels + level - 1, level > 0, 0), -1).to(
        tl.int32
    )
    new = first_cand + 2 * row
    has_left, has_right = before > 0, (before >= 0) & (before < pairs)
    here = tl.load(nodes + before, has_left | has_right, 0)
    h_left, c_left, s_left = _compose(
        new, tl.load(nodes + before - 1, has_left, 0), here, has_left, level > 0,
        products, node_c, bias, query, cand_h, cand_c, gates, scores, children, D, BLOCK, KEEP,
    )  # fmt: skip
    h_right, c_right, s_right = _compose(
        new + 1, here, tl.load(nodes + before + 1, has_right, 0), has_right, level > 0,
        products, node_c, bias, query, cand_h, cand_c, gates, scores, children, D, BLOCK, KEEP,
    )  # fmt: skip
    score = tl.where(has_left & (place == before - 1), s_left, score)
    score = tl.where(has_right & (place == before), s_right, score)
    if NOISE:
        score += tl.load(noise + original * noise_row + level * noise_level + place, valid, 0).to(acc)
    eligible = valid
    leaf = 0
    if TAUGHT:
        leaf = tl.load(last + original)
        right = valid & (place != leaf) & (place != leaf - 1)
        first = tl.load(nearest + tl.load(nodes, pairs == 2, 0))
        third = tl.load(nearest + tl.load(nodes + 2, pairs == 2, 0))
        nearer = ((place == 0) & (first <= third)) | ((place == 1) & (third <= first))
        right = tl.where((pairs == 2) & (leaf == 1), nearer, right)
        some = tl.max(right.to(tl.int32), 0) > 0
        eligible = tl.where(some, right, valid)
        top = tl.max(tl.where(valid, score, float("-inf")), 0)
        best = tl.max(tl.where(eligible, score, float("-inf")), 0)
        each = tl.where(valid, tl.exp(score - top), 0)
        good = tl.where(eligible, tl.exp(score - best), 0)
        cost = top + tl.log(tl.sum(each, 0)) - best - tl.log(tl.sum(good, 0))
        tl.store(losses + original, tl.load(losses + original) + cost, some & (pairs > 1))
        slope = tl.where(valid & some, each / tl.sum(each, 0) - good / tl.sum(good, 0), 0)
        tl.store(wanted + (level.to(tl.int64) * rows + row) * WIDTH + place, slope)
    # A NaN score must not lead out of the table: the first pair is taken instead.
    pick = tl.argmax(tl.where(eligible & (score == score), score, float("-inf")), 0).to(tl.int32)
    tl.store(merges + original * levels + level, pick.to(tl.int64), pairs > 0)

    # What was just composed is still in registers; the others are read.
    chosen = tl.sum(tl.where(place == pick, cand, 0), 0).to(tl.int64)
    from_left, from_right = has_left & (pick == before - 1), has_right & (pick == before)
    d = tl.arange(0, BLOCK)
    old = (d < D) & ~from_left & ~from_right
    h = tl.load(cand_h + chosen * D + d, old, 0).to(acc)
    c = tl.load(cand_c + chosen * D + d, old, 0)
    h = tl.where(from_left, h_left, tl.where(from_right, h_right, h))
    c = tl.where(from_left, c_left, tl.where(from_right, c_right, c))
    node = (first_node + row).to(tl.int64)
    tl.store(node_h + node * D + d, h.to(node_h.dtype.element_ty), (d < D) & (pairs > 0))
    tl.store(node_c + node * D + d, c, (d < D) & (pairs > 0))
    if TAUGHT:
        tl.store(last + original, leaf - (pick < leaf), pairs > 0)
        below = tl.load(nearest + tl.load(nodes + pick, pairs > 0, 0))
        below = tl.minimum(below, tl.load(nearest + tl.load(nodes + pick + 1, pairs > 0, 0)))
        tl.store(nearest + node, below + 1, pairs > 0)

    above = rows * WIDTH
    moved = tl.load(nodes + place + (place > pick), valid, 0)
    tl.store(nodes + above + place, tl.where(place == pick, node.to(tl.int32), moved), valid)
    renewed = next_cand + 2 * row + (place == pick)
    kept = tl.load(cands + place + (place > pick), place < pairs - 1, 0)
    kept = tl.where((place == pick) | (place == pick - 1), renewed, kept)
    tl.store(cands + above + place, kept, place < pairs - 1)


@triton.jit
def unit_scores(
    node_c, query, cand_c, gates, children, unit_gates, unit_c,
    D: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """The gradient of one unit of a candidate's score for its gates and its children's c.

    The part for the children's h is the product of that of the gates with the weight.
    """
    k = tl.program_id(0).to(tl.int64)
    left, right = tl.load(children + 2 * k).to(tl.int64), tl.load(children + 2 * k + 1).to(tl.int64)
    d = tl.arange(0, BLOCK)
    real = (d < D) & (left >= 0)  # an empty slot gets zeros
    narrow = gates.dtype.element_ty
    grad_h = tl.load(query + d, real, 0)
    to = unit_gates + k * (5 * D) + d
    grad_c, f, s = _gates_backward(
        grad_h, tl.zeros_like(grad_h), gates + k * (5 * D) + d, cand_c + k * D + d,
        node_c + left * D + d, node_c + right * D + d, to, real, d < D, D,
    )  # fmt: skip
    tl.store(unit_c + k * (2 * D) + d, (grad_c * f).to(narrow), d < D)
    tl.store(unit_c + k * (2 * D) + D + d, (grad_c * s).to(narrow), d < D)


@triton.jit
def _gates_backward(
    grad_h, grad_c, gates, cand_c, left_c, right_c, to,
    real, inside, D: tl.constexpr,
):  # fmt: skip
    """The backward pass of Eq. 2-4 to the gates before their activation, which is stored.

    Returns the gradient of c, and both forget gates.
    """
    acc = grad_h.dtype
    narrow = gates.dtype.element_ty
    i, f = tl.load(gates, real, 0).to(acc), tl.load(gates + D, real, 0).to(acc)
    s, o = tl.load(gates + 2 * D, real, 0).to(acc), tl.load(gates + 3 * D, real, 0).to(acc)
    g = tl.load(gates + 4 * D, real, 0).to(acc)
    squashed = _tanh(tl.load(cand_c, real, 0))
    grad_c = grad_c + grad_h * o * (1 - squashed * squashed)
    tl.store(to, (grad_c * g * i * (1 - i)).to(narrow), inside)
    tl.store(to + D, (grad_c * tl.load(left_c, real, 0) * f * (1 - f)).to(narrow), inside)
    tl.store(to + 2 * D, (grad_c * tl.load(right_c, real, 0) * s * (1 - s)).to(narrow), inside)
    tl.store(to + 3 * D, (grad_h * squashed * o * (1 - o)).to(narrow), inside)
    tl.store(to + 4 * D, (grad_c * i * (1 - g * g)).to(narrow), inside)
    return grad_c, f, s


@triton.jit(do_not_specialize=_COUNTS + _STRIDES)
def level_backward(
    level, rows, levels, first_node, first_merge, arrived_rows,
    lengths, order, node_table, cand_table, merges, noise, noise_row,
    noise_level, known, grad_losses, node_h, node_c, cand_h, cand_c, gates, scores, children,
    grad_h, grad_c, arrived, merge_gates, merge_cand, merge_of, total,
    unit_h, unit_c, D: tl.constexpr, BLOCK: tl.constexpr, WIDTH: tl.constexpr, SCORED: tl.constexpr,
    TAUGHT: tl.constexpr,
):  # fmt: skip
    """The backward pass of one level; see `cpu` for the formulas.

    SCORED: the scores have a gradient; TAUGHT: which is known but for a factor, that of the row's loss.
    arrived: the gradient of the h of the children merged one level up, (arrived_rows, 2D), from the matrix
    product. merge_gates: receives the gradient of the chosen candidates' gates, for the next product.
    """
    row = tl.program_id(0)
    acc = grad_h.dtype.element_ty
    pairs = tl.load(lengths + row) - 1 - level
    original = tl.load(order + row).to(tl.int64)
    d = tl.arange(0, BLOCK)
    inside = d < D
    place = tl.arange(0, WIDTH)
    valid = place < pairs
    nodes = node_table + (level.to(tl.int64) * rows + row) * WIDTH
    cands = cand_table + (level.to(tl.int64) * rows + row) * WIDTH
    above = rows * WIDTH
    live = pairs > 0  # else the row is finished or empty
    pick = tl.load(merges + original * levels + level, live, 0).to(tl.int32)

    came = (row < arrived_rows) & (pairs > 1)
    last = tl.load(merges + original * levels + level + 1, came, 0).to(tl.int32)
    left = tl.load(nodes + above + last, came, 0).to(tl.int64)
    right = tl.load(nodes + above + last + 1, came, 0).to(tl.int64)
    got = tl.load(arrived + row * (2 * D) + d, inside & came, 0).to(acc)
    tl.store(grad_h + left * D + d, tl.load(grad_h + left * D + d, inside & came, 0) + got, inside & came)
    got = tl.load(arrived + row * (2 * D) + D + d, inside & came, 0).to(acc)
    tl.store(grad_h + right * D + d, tl.load(grad_h + right * D + d, inside & came, 0) + got, inside & came)
    tl.debug_barrier()

    wanted = tl.zeros([WIDTH], acc)  # d: the gradient of the scores of this level
    cand = tl.load(cands + place, valid, 0)
    if TAUGHT:
        wanted = tl.load(known + (level.to(tl.int64) * rows + row) * WIDTH + place, valid, 0)
        wanted *= tl.load(grad_losses + original, live, 0)
    elif SCORED:
        here, moved = tl.zeros([WIDTH], acc), tl.zeros([WIDTH], acc)
        for k in range(0, pairs):
            after = tl.load(nodes + above + k).to(tl.int64)
            up_h, up_c = (
                tl.load(grad_h + after * D + d, inside, 0),
                tl.load(grad_c + after * D + d, inside, 0),
            )
            at = tl.load(cands + k).to(tl.int64) * D + d
            parent = up_h * tl.load(cand_h + at, inside, 0).to(acc) + up_c * tl.load(cand_c + at, inside, 0)
            at = tl.load(nodes + k).to(tl.int64) * D + d
            first = up_h * tl.load(node_h + at, inside, 0).to(acc) + up_c * tl.load(node_c + at, inside, 0)
            at = tl.load(nodes + k + 1).to(tl.int64) * D + d
            second = up_h * tl.load(node_h + at, inside, 0).to(acc) + up_c * tl.load(node_c + at, inside, 0)
            here = tl.where(place == k, tl.sum(parent - second, 0), here)
            moved = tl.where(place == k, tl.sum(second - first, 0), moved)
        score = tl.load(scores + cand, valid, 0)
        score += tl.load(noise + original * noise_row + level * noise_level + place, valid, 0).to(acc)
        score = tl.where(valid, score, float("-inf"))
        soft = tl.exp(score - tl.max(score, 0))
        soft = soft / tl.sum(soft, 0)
        # The sum over j >= k, written out with a triangle of ones.
        later = place[:, None] <= place[None, :]
        dy = here + tl.sum(tl.where(later, moved[None, :], 0), 1)
        wanted = soft * (dy - tl.sum(soft * dy, 0))
    if SCORED:
        tl.store(total + cand, tl.load(total + cand, valid, 0) + wanted, valid)

    chosen = tl.load(cands + pick, live, 0).to(tl.int64)
    left, right = tl.load(children + 2 * chosen).to(tl.int64), tl.load(children + 2 * chosen + 1).to(tl.int64)
    merge = (first_merge + row).to(tl.int64)
    tl.store(merge_cand + merge, chosen)
    tl.store(merge_of + chosen, merge.to(tl.int32), live)
    parent = (first_node + row).to(tl.int64) * D + d
    real = inside & live
    into_c, f, s = _gates_backward(
        tl.load(grad_h + parent, real, 0), tl.load(grad_c + parent, real, 0),
        gates + chosen * (5 * D) + d, cand_c + chosen * D + d, node_c + left * D + d, node_c + right * D + d,
        merge_gates + merge * (5 * D) + d, real, inside, D,
    )  # fmt: skip
    if SCORED:
        # Each node is the left child of one pair and the right child of another. The two merged nodes do not
        # exist above, so only this merge and the scores of this level contribute to them.
        for j in range(0, tl.where(live, pairs + 1, 0)):
            at = tl.load(nodes + j).to(tl.int64) * D + d
            child_left, child_right = j == pick, j == pick + 1
            old = inside & ~child_left & ~child_right
            into = tl.load(grad_h + at, old, 0)
            into_cell = tl.load(grad_c + at, old, 0)
            into_cell += tl.where(child_left, into_c * f, 0) + tl.where(child_right, into_c * s, 0)
            weight = tl.sum(tl.where(place == j, wanted, 0), 0)
            unit = tl.load(cands + j, j < pairs, 0).to(tl.int64) * (2 * D) + d
            into += weight * tl.load(unit_h + unit, inside & (j < pairs), 0).to(acc)
            into_cell += weight * tl.load(unit_c + unit, inside & (j < pairs), 0).to(acc)
            weight = tl.sum(tl.where(place == j - 1, wanted, 0), 0)
            unit = tl.load(cands + j - 1, j > 0, 0).to(tl.int64) * (2 * D) + D + d
            into += weight * tl.load(unit_h + unit, inside & (j > 0), 0).to(acc)
            into_cell += weight * tl.load(unit_c + unit, inside & (j > 0), 0).to(acc)
            tl.store(grad_h + at, into, inside)
            tl.store(grad_c + at, into_cell, inside)
    else:
        tl.store(grad_h + left * D + d, tl.zeros_like(f), real)
        tl.store(grad_c + left * D + d, into_c * f, real)
        tl.store(grad_h + right * D + d, tl.zeros_like(f), real)
        tl.store(grad_c + right * D + d, into_c * s, real)


@triton.jit(do_not_specialize=["levels"])
def add_arrived(
    merges, levels, order, node_table, grad_h, arrived,
    D: tl.constexpr, BLOCK: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Add the gradient of the h of the first merges' children, which no further level picks up."""
    row = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    pick = tl.load(merges + tl.load(order + row).to(tl.int64) * levels).to(tl.int32)
    inside = (d < D) & (pick >= 0)
    for side in range(0, 2):
        at = tl.load(node_table + row * WIDTH + pick + side, pick >= 0, 0).to(tl.int64) * D + d
        got = tl.load(arrived + row * (2 * D) + side * D + d, inside, 0).to(grad_h.dtype.element_ty)
        tl.store(grad_h + at, tl.load(grad_h + at, inside, 0) + got, inside)


@triton.jit
def gather_gates(
    unit_gates, total, merge_gates, merge_of, children, node_h, pairs_h,
    D: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """The total gradient of each candidate's gates, in place, and the h of its two children."""
    k = tl.program_id(0).to(tl.int64)
    d = tl.arange(0, BLOCK)
    inside = d < D
    acc = total.dtype.element_ty
    narrow = unit_gates.dtype.element_ty
    left, right = tl.load(children + 2 * k).to(tl.int64), tl.load(children + 2 * k + 1).to(tl.int64)
    merge = tl.load(merge_of + k).to(tl.int64)
    weight = tl.load(total + k)
    for gate in range(0, 5):
        at = unit_gates + k * (5 * D) + gate * D + d
        value = weight * tl.load(at, inside, 0).to(acc)
        value += tl.load(merge_gates + merge * (5 * D) + gate * D + d, inside & (merge >= 0), 0).to(acc)
        tl.store(at, value.to(narrow), inside)
    real = inside & (left >= 0)
    tl.store(pairs_h + k * (2 * D) + d, tl.load(node_h + left * D + d, real, 0), inside)
    tl.store(pairs_h + k * (2 * D) + D + d, tl.load(node_h + right * D + d, real, 0), inside)
