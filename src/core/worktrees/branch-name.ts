// Names of branches: one from what is to be done, and what is wrong with one that was typed.

const mostWords = 6;
const mostChars = 50;
/** They say nothing of the task. */
const fillers = new Set(
  'a an and are as at be but by can could for from has have i if in into is it its me my of on or our please so that the their them then there this to up us we with would you your'.split(
    ' ',
  ),
);

/** Empty where the text has no words that a branch can have. */
export function proposedBranch(task: string): string {
  const [line = ''] = task.trim().split('\n');
  const words = line
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/['’`]/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !fillers.has(word));
  let name = '';
  for (const word of (telling.length > 0 ? telling : words).slice(0, mostWords)) {
    const longer = name === '' ? word.slice(0, mostChars) : `${name}-${word}`;
    if (longer.length > mostChars) break;
    name = longer;
  }
  return branchProblem(name, []) === undefined ? name : '';
}

/** The same with a number behind it where there is a branch of that name. */
export function freeBranch(name: string, taken: readonly string[]): string {
  if (name === '') return '';
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name}-${number}`;
    if (clash(tried, taken) === undefined) return tried;
  }
}

/** A sentence, in which git's rules for names are those of `git check-ref-format`. `taken`: the branches that there are. */
export function branchProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return 'A branch needs a name.';
  if (name.length > 200) return 'The name is too long.';
  const odd = /[\u0000-\u0020\u007f~^:?*[\\]/.exec(name)?.[0];
  if (odd !== undefined)
    return odd === ' ' ? 'A branch name has no spaces.' : `A branch name has no ${JSON.stringify(odd)}.`;
  if (name.startsWith('-')) return 'A branch name does not begin with a hyphen.';
  if (name.includes('..') || name.includes('@{')) return 'A branch name has neither ".." nor "@{".';
  if (name === '@' || name === 'HEAD') return `${name} means what is checked out; it is no name for a branch.`;
  const parts = name.split('/');
  if (parts.includes('')) return 'A branch name neither begins nor ends with a slash, and has no two in a row.';
  if (parts.some((part) => part.startsWith('.') || part.endsWith('.lock')) || name.endsWith('.'))
    return 'No part of a branch name begins with a dot or ends with ".lock", and no name ends with a dot.';
  if (/^refs\//.test(name)) return 'A branch name does not begin with "refs/".';
  if (/^worktree-agent-/.test(name))
    return 'Deft names the branches of agents so, and removes them once they are merged.';
  const other = clash(name, taken);
  if (other === undefined) return undefined;
  return other.toLowerCase() === name.toLowerCase()
    ? `There is a branch ${other} already.`
    : `There is a branch ${other}: git cannot have both.`;
}

/** One is a folder of the other, or differs by letter case alone, which is the same file on many disks. */
function clash(name: string, taken: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  return taken.find((other) => {
    const there = other.toLowerCase();
    return there === wanted || there.startsWith(`${wanted}/`) || wanted.startsWith(`${there}/`);
  });
}

/** Those whose branches differ in the number at their end alone, in the order of the numbers. */
export function attemptsOf<Tree extends { branch: string | undefined }>(
  trees: readonly Tree[],
): { name: string; trees: Tree[] }[] {
  const groups = new Map<string, { number: number; tree: Tree }[]>();
  for (const tree of trees) {
    const [, name, number] = /^(.+)-(\d+)$/.exec(tree.branch ?? '') ?? [];
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), { number: Number(number), tree }]);
  }
  return [...groups].flatMap(([name, group]) =>
    group.length < 2
      ? []
      : [{ name, trees: group.sort((one, other) => one.number - other.number).map(({ tree }) => tree) }],
  );
}
