// Where the nodes of a tree lie, before anything is drawn.

/**
 * The nodes of a tree as the service writes it (a leaf {token, depth}, a node {order, left, right}), root first.
 * Each has `parent`, `children`, `depth`, `first` and `last` (the leaves it covers), and `along`: its place in
 * reading order, a leaf's number or the middle of the two children.
 */
export function laidOut(tree) {
  const nodes = [];
  let leaves = 0;
  function visit(data, parent, depth) {
    const node = { parent, depth, children: [], order: data.order ?? null, token: data.token ?? null };
    nodes.push(node);
    if (node.token !== null) {
      node.first = node.last = node.along = leaves++;
      return node;
    }
    node.children = [visit(data.left, node, depth + 1), visit(data.right, node, depth + 1)];
    node.first = node.children[0].first;
    node.last = node.children[1].last;
    node.along = (node.children[0].along + node.children[1].along) / 2;
    return node;
  }
  visit(tree, null, 0);
  return nodes;
}

/** The leaf nearest to the root, of equals the first: the main ingredient, the action word. */
export function shallowest(nodes) {
  return leavesOf(nodes).reduce((best, leaf) => (leaf.depth < best.depth ? leaf : best));
}

export const leavesOf = (nodes) => nodes.filter((node) => node.token !== null);

/** The node that an arrow key leads to: up to the parent, down to the first child, sideways to the neighbour. */
export function stepFrom(nodes, node, way) {
  if (way === "parent") return node.parent;
  if (way === "child") return node.children[0] ?? null;
  const level = nodes.filter((other) => other.depth === node.depth).sort((a, b) => a.along - b.along);
  return level[level.indexOf(node) + (way === "next" ? 1 : -1)] ?? null;
}
