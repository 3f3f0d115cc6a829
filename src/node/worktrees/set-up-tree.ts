// What a new worktree gets from the checkout: files that git does not have, such as `.env`, and installed packages.
import { constants } from 'node:fs';
import { copyFile, cp, lstat, mkdir, readdir, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import { type Worktree } from '../../core/ports/worktrees';
import { holds } from './git-worktrees';
import { type RunGit } from './run-git';
import { isLinkOfGit } from './worktree-link';

export interface TreeSetUp {
  copied: string[];
  linked: string[];
  /** A sentence for each that was left out. */
  left: string[];
}

/** `copy` and `link` are paths below the checkout. Nothing is put over something that is there. */
export async function setUpTree(
  worktree: Pick<Worktree, 'path' | 'checkout'>,
  { copy = [], link = [] }: { copy?: readonly string[] | undefined; link?: readonly string[] | undefined },
  run: RunGit,
): Promise<TreeSetUp> {
  const done: TreeSetUp = { copied: [], linked: [], left: [] };
  if (!(await isLinkOfGit(path.resolve(worktree.path))))
    return { ...done, left: [`The \`.git\` of ${worktree.path} is not as git created it.`] };
  for (const name of copy) await put(name, worktree, done, copied, done.copied);
  for (const name of link)
    await put(name, worktree, done, (from, to) => linked(from, to, { name, worktree, run }), done.linked);
  return done;
}

/** A sentence where it was not done. */
type Put = (from: string, to: string) => Promise<string | undefined>;

async function put(
  name: string,
  { path: place, checkout }: Pick<Worktree, 'path' | 'checkout'>,
  { left }: TreeSetUp,
  how: Put,
  names: string[],
): Promise<void> {
  const way = path.normalize(name);
  const [first] = way.split(path.sep);
  const say = (why: string): void => void left.push(`${name}: ${why}`);
  if (path.isAbsolute(name) || first === '..' || way === '.') return say('it is not below the repository.');
  if (way.split(path.sep).some((part) => part.toLowerCase() === '.git')) return say('it is of git.');
  const from = path.join(checkout, way);
  const to = path.join(place, way);
  try {
    const real = await realpath(from).catch(() => undefined);
    if (real === undefined) return say('the checkout does not have it.');
    const root = await realpath(checkout);
    if (real === root || !holds(root, real)) return say('it leads out of the repository.');
    if (await lstat(to).catch(() => undefined)) return say('the worktree has it already.');
    await mkdir(path.dirname(to), { recursive: true });
    if (!holds(await realpath(place), await realpath(path.dirname(to))))
      return say('its place leads out of the worktree.');
    const why = await how(real, to);
    if (why === undefined) names.push(name);
    else say(why);
  } catch (error) {
    say(messageOf(error));
  }
}

const copied: Put = async (from, to) => {
  // Links in it are copied as links: nothing is read that they lead to.
  if ((await lstat(from)).isDirectory())
    await cp(from, to, { recursive: true, errorOnExist: true, force: false, verbatimSymlinks: true });
  else await copyFile(from, to, constants.COPYFILE_EXCL);
  return undefined;
};

/**
 * A folder of links, not a link: a line such as `node_modules/` of .gitignore is about folders alone, and a link would
 * be one more file to commit.
 */
async function linked(
  from: string,
  to: string,
  { name, worktree, run }: { name: string; worktree: Pick<Worktree, 'path'>; run: RunGit },
): Promise<string | undefined> {
  if (!(await lstat(from)).isDirectory()) return 'only folders are linked.';
  const ignored = await run(worktree.path, ['check-ignore', '--quiet', '--', `${name.replace(/[\\/]+$/, '')}/`]);
  if (ignored.kind !== 'ended' || ignored.code !== 0) return 'git does not ignore it, so it would be committed.';
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [one, other] = [path.join(from, entry.name), path.join(to, entry.name)];
    // Lists that a package manager keeps: it would write into those of the checkout.
    if (entry.isFile()) await copyFile(one, other, constants.COPYFILE_EXCL);
    else await symlink(one, other, process.platform === 'win32' ? 'junction' : 'dir');
  }
  return undefined;
}
