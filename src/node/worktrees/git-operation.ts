// Whether git is in the middle of something in a checkout: a commit or a merge now would end what somebody else began.
import { existsSync } from 'node:fs';
import path from 'node:path';

const operations: readonly (readonly [file: string, name: string])[] = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
];

/** "merge", "rebase" …; `gitFolder` is that of the checkout itself, as `git rev-parse --absolute-git-dir` says it. */
export function operationUnderWay(gitFolder: string): string | undefined {
  return operations.find(([file]) => existsSync(path.join(gitFolder, file)))?.[1];
}
