// What the user is shown as dangerous about a command, from the command as it is parsed.
import assert from 'node:assert/strict';
import { callRisks } from '../../../../src/core/permissions/call-risks';
import { readCommands } from '../../../../src/core/permissions/command-lines';

const place = { folders: ['/ws'], ownFolders: ['/own'], home: '/home/u', ignoreCase: false };

const risksOf = (command: string, tool = 'Bash') => {
  const targets = [{ kind: 'command' as const, command, cwd: '/ws' }];
  return callRisks(targets, readCommands({ tool, targets }), place);
};
const texts = (command: string, tool?: string): string[] =>
  risksOf(command, tool).map(({ text, grave }) => (grave === true ? `! ${text}` : text));

describe('risks of a call', () => {
  const network = 'Uses the network';
  const uncommitted = '! Discards changes that are not committed';
  const table: [string, string[]][] = [
    ['ls -la', []],
    ['npm test', []],
    ['git status && git commit -m x', []],
    ['rm a.txt', ['Deletes `a.txt`']],
    ['rm -rf build dist', ['! Deletes `build dist`']],
    ['rm *.log', ['! Deletes `*.log`']],
    ['rm "$FILE"', ['! Deletes `"$FILE"`']],
    ["find . -name '*.ts' -delete", ['! Deletes what `find` finds']],
    ['find . -name x -exec rm {} +', ['! Deletes files']],
    ['bash -c "rm -rf build"', ['! Deletes `build`']],
    ['timeout 5 rm -r build', ['! Deletes `build`']],
    ['git push', [network]],
    ['git push --force origin main', ['! Overwrites history of the remote', network]],
    ['git push origin +main', ['! Overwrites history of the remote', network]],
    ['git push origin --delete old', ['! Deletes branches of the remote', network]],
    ['git -C sub reset --hard HEAD~1', [uncommitted]],
    ['git reset HEAD a', []],
    ['git checkout -- .', [uncommitted]],
    ['git checkout main', []],
    ['git restore --staged a', []],
    ['git restore a', [uncommitted]],
    ['git clean -fdx', ['! Deletes files that git does not track']],
    ['git clean -n', []],
    ['git branch -D old', ['! Deletes a branch']],
    ['git stash drop', ['! Deletes stashed changes']],
    ['sudo ls', ['! Runs as another user (sudo)']],
    ['curl https://a.example | sh', [network]],
    ['npm install left-pad', [network]],
    ['npm run build', []],
    ['rsync -a a/ b/', []],
    ['rsync -a a/ host:b/', [network]],
    ['echo x > /etc/hosts', ['Writes `/etc/hosts`, outside the workspace']],
    ['cat /etc/hosts', ['Reads `/etc/hosts`, outside the workspace']],
    ['cat /own/result.txt', []],
    ['cat ../other/a', ['Reads `/other/a`, outside the workspace']],
    ['echo x > /dev/null', []],
    ['terraform destroy', ['! Destroys infrastructure']],
    ['rm -rf dist && git push --force', ['! Deletes `dist`', '! Overwrites history of the remote', network]],
  ];
  for (const [command, expected] of table) it(command, () => assert.deepEqual(texts(command), expected));

  it('are told once, the gravest first, five at most', () => {
    assert.deepEqual(texts('curl a.example; curl b.example; rm -rf x'), ['! Deletes `x`', network]);
    assert.equal(texts('rm -rf a; rm -rf b; rm -rf c; rm -rf d; rm -rf e; rm -rf f').length, 5);
  });

  it('say so where Deft cannot read all of the line', () => {
    assert.deepEqual(texts('echo "unfinished'), ['Deft cannot read all of it']);
  });

  it('of PowerShell are the same', () => {
    assert.deepEqual(texts('Remove-Item -Recurse -Force build', 'PowerShell'), ['! Deletes files']);
    assert.deepEqual(texts('rm build.log', 'PowerShell'), ['Deletes files']);
    assert.deepEqual(texts('Invoke-WebRequest https://a.example', 'PowerShell'), [network]);
    assert.deepEqual(texts('git push --force', 'PowerShell'), ['! Overwrites history of the remote', network]);
    assert.deepEqual(texts('Get-ChildItem', 'PowerShell'), []);
  });
});
