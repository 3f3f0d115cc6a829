// Permissions of PowerShell lines: what is free, what rules reach, and that nothing unread is free.
import assert from 'node:assert/strict';
import { decide } from '../../../../src/core/permissions/decide';
import { powerShellFiles, readPowerShell } from '../../../../src/core/permissions/power-shell/power-shell-line';
import { parsePowerShell } from '../../../../src/core/permissions/power-shell/power-shell-command';
import { type PermissionCall } from '../../../../src/core/permissions/rules/verdict';
import { type PermissionMode } from '../../../../src/shared/permission';
import { context } from './permission-table';

const call = (command: string): PermissionCall => ({
  tool: 'PowerShell',
  access: 'DangerFullAccess',
  readOnly: false,
  targets: [{ kind: 'command', command, cwd: '/ws' }],
});
const verdict = (command: string, rules: string[] = [], mode: PermissionMode = 'default') => {
  const { behavior, code } = decide(call(command), context(mode, rules));
  return `${behavior} ${code}`;
};

describe('PowerShell permissions', () => {
  const free = [
    'Get-ChildItem',
    'get-childitem -Recurse src',
    'gci -Filter *.ts -File',
    'ls',
    'dir .\\src',
    'Get-Location',
    'pwd',
    "Get-Content 'src/a file.ts' -TotalCount 5",
    'gc a.txt, b.txt',
    'cat "a.txt"',
    'Get-Content -Path:a.txt -Raw',
    'Select-String TODO src/a.ts',
    'Get-ChildItem src/*.ts',
    'sls -Pattern "a b" -Path src\\a.ts -CaseSensitive',
    'Test-Path ./x -PathType Leaf',
    'Get-FileHash a.bin -Algorithm SHA256',
    'Get-Content a.txt | Select-String error',
    'Get-Content a.json | ConvertFrom-Json | Select-Object -Property name',
    'Write-Output hello; Get-Date -Format yyyy',
    'Get-ChildItem -File | Where-Object Length -gt 10 | Sort-Object Length -Descending | Format-Table -AutoSize',
    'Get-ChildItem\nGet-Location',
    'echo a && pwd',
    "Write-Host 'it''s'",
  ];
  for (const command of free) it(`free: ${command}`, () => assert.equal(verdict(command), 'allow read-only'));

  const asks: [command: string, code: string][] = [
    // Not in the workspace, or not a file at all.
    ['Get-Content /etc/passwd', 'outside-workspace'],
    ['gc ..\\secret', 'outside-workspace'],
    ['Get-ChildItem ~', 'outside-workspace'],
    ['cat C:\\Users', 'outside-workspace'],
    ['Get-Content a.txt, /etc/passwd', 'outside-workspace'],
    ['Get-Content -Path:/etc/passwd', 'outside-workspace'],
    ['Get-Content env:PATH', 'outside-workspace'],
    ['Get-ChildItem HKLM:\\Software', 'outside-workspace'],
    ['Get-Content \\\\host\\share\\x', 'outside-workspace'],
    ['Get-Content Microsoft.PowerShell.Core\\FileSystem::/etc/passwd', 'outside-workspace'],
    ['Select-String -CaseSensitive root /etc/passwd', 'outside-workspace'],
    ['Select-String -Path /etc/passwd root', 'outside-workspace'],
    ['sls root /etc/passwd', 'outside-workspace'],
    // Given by name, the pattern leaves the first place to a path; what a wildcard finds may be a link.
    ['Select-String /etc/passwd -Pattern root', 'outside-workspace'],
    ['sls ~/.ssh/id_rsa -Pattern .', 'outside-workspace'],
    ['Get-Content a.txt | Select-String -Pattern:root /etc/passwd', 'unknown-command'],
    ['Get-Content a.txt | Select-String x -Path:/etc/passwd', 'unknown-command'],
    ['Select-String TODO src/*.ts', 'outside-workspace'],
    ["Get-Content '.en[v]'", 'outside-workspace'],
    ['Get-Content o?t/passwd', 'outside-workspace'],
    // More than looking.
    ['Remove-Item a.txt', 'unknown-command'],
    ['rm a.txt', 'unknown-command'],
    ['Set-Content a.txt x', 'unknown-command'],
    ['Invoke-Expression x', 'unknown-command'],
    ['iwr example.com', 'unknown-command'],
    ['npm test', 'unknown-command'],
    ['git status', 'unknown-command'],
    ['./a.ps1', 'unknown-command'],
    ['Get-ChildItem | Remove-Item', 'unknown-command'],
    ['Get-ChildItem; del x', 'unknown-command'],
    ['Write-Output /etc/passwd | Get-Content', 'unknown-command'],
    ['Get-ChildItem | Select-String x', 'unknown-command'],
    ['./Get-ChildItem', 'unknown-command'],
    ['sub\\Get-Content a.txt', 'unknown-command'],
    ['Get-Location.exe', 'unknown-command'],
    ['Get-Content a.txt -Wait', 'unknown-command'],
    ['Get-ChildItem -FollowSymlink', 'unknown-command'],
    ['ls -la', 'unknown-command'],
    ['sort -o b.txt a.txt', 'unknown-command'],
    ['Get-Date -OutVariable PSDefaultParameterValues', 'unknown-command'],
    ['Get-Content a.txt | Out-File b.txt', 'unknown-command'],
    ['Set-Location ..', 'unknown-command'],
    ['cd ..; Get-Content a.txt', 'unknown-command'],
    // Not plain.
    ...[
      'Get-Content $HOME/x',
      'Get-ChildItem (Get-Location)',
      'Write-Output "$(whoami)"',
      'Write-Output "a`n"',
      '& rm x',
      '. ./a.ps1',
      'Get-ChildItem > out.txt',
      'gci 2>&1',
      'Get-ChildItem | ForEach-Object { rm $_ }',
      '$x = 1',
      "'a'",
      '"rm" x',
      'if (1) { rm x }',
      'foreach x',
      'Get-ChildItem # note',
      'Get-ChildItem [a-z]',
      'cmd --% /c del x',
      'Get-Content @args',
      'Write-Output ‘a’; rm x’',
      'Get-ChildItem –Recurse',
      'Get-Content `\na',
      'Get-ChildItem | % Delete',
      '| Get-ChildItem',
      'Get-ChildItem |',
      "Get-Content 'a",
      '',
      '   ',
      ';;',
      "Write-Output 'a'b",
      'Get-Content a.txt;{rm x}',
      'Write-Output \u201ca\u201d',
    ].map((command): [string, string] => [command, 'unparsed-command']),
  ];
  for (const [command, code] of asks)
    it(`asks: ${JSON.stringify(command)}`, () => assert.equal(verdict(command), `ask ${code}`));

  const byRules: [command: string, rules: string[], expected: string][] = [
    ['rm a.txt', ['allow PowerShell(Remove-Item:*)'], 'allow rule'],
    ['Remove-Item a.txt', ['allow PowerShell(del *)'], 'allow rule'],
    ['REMOVE-ITEM A.TXT', ['allow PowerShell(remove-item a.txt)'], 'allow rule'],
    ['npm run build', ['allow PowerShell(npm run:*)'], 'allow rule'],
    ['npm run build; npm publish', ['allow PowerShell(npm run:*)'], 'ask unknown-command'],
    ['npm run $x', ['allow PowerShell(npm run:*)'], 'ask unparsed-command'],
    ['anything at all', ['allow PowerShell'], 'allow rule'],
    ['iex $x', ['allow PowerShell'], 'ask unparsed-command'],
    ['./npm run build', ['allow PowerShell(npm run:*)'], 'ask unknown-command'],
    ['rm a.txt', ['allow Bash(rm:*)'], 'ask unknown-command'],
    ['rm a.txt', ['deny PowerShell(Remove-Item:*)'], 'deny rule'],
    ['Microsoft.PowerShell.Management\\Remove-Item a.txt', ['deny PowerShell(rm:*)'], 'deny rule'],
    ['Get-ChildItem | ForEach-Object { Remove-Item $_ }', ['deny PowerShell(del:*)'], 'deny rule'],
    ["& 'rm' a.txt", ['deny PowerShell(rm:*)'], 'deny rule'],
    ['if ($x) { npm publish }', ['deny PowerShell(npm publish:*)'], 'deny rule'],
    ['git.exe push', ['deny PowerShell(git push:*)', 'allow PowerShell'], 'deny rule'],
    ['Get-ChildItem', ['ask PowerShell(ls:*)'], 'ask rule'],
    ['Get-ChildItem', ['deny PowerShell'], 'deny rule'],
    ['Get-Content secret.txt', ['deny Read(./secret.txt)'], 'deny rule'],
    ['Get-Content *.txt', ['deny Read(./secret.txt)'], 'ask rule'],
    ['rm -Recurse /', ['allow PowerShell'], 'ask critical-path'],
    ['Remove-Item -Recurse -Force ~', ['allow PowerShell'], 'ask critical-path'],
    ['cd sub; Get-Content a.txt', ['allow PowerShell(cd:*)'], 'ask outside-workspace'],
  ];
  for (const [command, rules, expected] of byRules)
    it(`${command} with ${rules.join(', ')}: ${expected}`, () => assert.equal(verdict(command, rules), expected));

  const modes: [mode: PermissionMode, command: string, expected: string][] = [
    ['plan', 'Get-ChildItem', 'allow read-only'],
    ['plan', 'rm x', 'deny mode'],
    ['plan', 'Get-ChildItem > x', 'deny mode'],
    ['acceptEdits', 'rm x', 'ask unknown-command'],
    ['bypassPermissions', 'rm x', 'allow mode'],
    ['bypassPermissions', 'rm -Recurse /', 'ask critical-path'],
    ['bypassPermissions', 'iex $x', 'allow mode'],
    ['bypassPermissions', 'Remove-Item -Recurse $x', 'ask critical-path'],
  ];
  for (const [mode, command, expected] of modes)
    it(`${mode}: ${command}: ${expected}`, () => assert.equal(verdict(command, [], mode), expected));

  it('offers the exact line for this session, and the rule covers it', () => {
    const { suggestions } = decide(call('npm test -- *.ts'), context('default'));
    assert.deepEqual(
      suggestions.map(({ label }) => label),
      ['Always allow `npm test -- *.ts` in this session'],
    );
    assert.deepEqual(decide(call('iex $x'), context('default')).suggestions, []);
  });

  it('names the files whose links are looked at', () => {
    assert.deepEqual(powerShellFiles(readPowerShell('gc .\\a\\b.txt; Test-Path ~/x; npm test'), '/ws', '/home/u'), [
      { access: 'read', path: '/ws/a/b.txt' },
      { access: 'read', path: '/home/u/x' },
    ]);
    const target = { kind: 'file', access: 'read', path: '/ws/link', realPath: '/etc/passwd' } as const;
    const linked: PermissionCall = { ...call('gc link'), targets: [...call('gc link').targets, target] };
    assert.equal(decide(linked, context('default')).code, 'outside-workspace');
  });

  it('reads words as PowerShell does', () => {
    const parsed = parsePowerShell('Select-String \'it\'\'s\' "a ""b""" -Path:x,y');
    assert.deepEqual(
      parsed.ok && parsed.commands.map(({ name, words }) => [name, ...words.map(({ value }) => value)]),
      [['select-string', 'Select-String', "it's", 'a "b"', '-Path:x', 'y']],
    );
  });
});
