// Files that other programs run or obey by themselves: which they are, what the question about them says, and what package.json keeps.
import assert from 'node:assert/strict';
import { hooksPathOf } from '../../../../src/core/permissions/files/hooks-folder';
import { isProtectedPath } from '../../../../src/core/permissions/files/protected-paths';
import { elsewhereWords, keepsScripts, protectedWords } from '../../../../src/core/permissions/files/steering-files';

describe('files that other programs run or obey', () => {
  const always: Record<string, RegExp> = {
    '.githooks/pre-commit': /^git runs what is in it at commits/,
    '.git/hooks/pre-push': /^git runs/,
    '.husky/pre-commit': /^git runs/,
    '.vscode/tasks.json': /^VS Code obeys it/,
    '.idea/workspace.xml': /^JetBrains/,
    '.zed/tasks.json': /^Zed/,
    '.cursor/mcp.json': /^agents start the servers/,
    '.mcp.json': /^agents start the servers/,
    '.cursor/hooks.json': /^Cursor runs/,
    '.devcontainer/devcontainer.json': /development container/,
    '.devcontainer.json': /development container/,
    '.envrc': /^direnv runs it when a shell enters/,
    '.npmrc': /^npm and pnpm read it/,
    '.yarnrc.yml': /^Yarn/,
    '.pnpmfile.cjs': /^pnpm runs it/,
    '.gdbinit': /^the debugger/,
    '.exrc': /^vi, Vim or Neovim/,
    '.dir-locals.el': /^Emacs/,
    '.bashrc': /^it controls tools/,
    '.GITHOOKS/pre-commit': /^git runs/,
  };
  for (const [file, words] of Object.entries(always))
    it(`always asks about ${file}`, () => {
      assert.ok(isProtectedPath(`/ws/${file}`));
      assert.match(protectedWords(`/ws/${file}`), words);
    });

  const elsewhere: Record<string, RegExp> = {
    '.github/workflows/ci.yml': /^CI runs it/,
    '.github/actions/build/action.yml': /^CI/,
    '.gitlab-ci.yml': /^CI/,
    '.circleci/config.yml': /^CI/,
    'azure-pipelines.yml': /^CI/,
    'bitbucket-pipelines.yml': /^CI/,
    Jenkinsfile: /^CI/,
    'deploy/Jenkinsfile.release': /^CI/,
    '.buildkite/pipeline.yml': /^CI/,
    '.travis.yml': /^CI/,
    'CLAUDE.md': /^agents follow it/,
    'CLAUDE.local.md': /^agents/,
    'packages/a/AGENTS.md': /^agents/,
    'GEMINI.md': /^agents/,
    '.github/copilot-instructions.md': /^agents/,
    '.cursor/rules/team/style.mdc': /^agents/,
    '.cursorrules': /^agents/,
    '.clinerules/a.md': /^agents/,
    '.lintstagedrc.json': /^git hooks run/,
    'mise.toml': /^mise/,
    'package.json': /^package managers/,
    'packages/a/package.json': /^package managers/,
  };
  for (const [file, words] of Object.entries(elsewhere))
    it(`the mode for edits does not cover ${file}`, () => {
      assert.match(elsewhereWords(`/ws/${file}`, false) ?? '', words);
      assert.ok(!isProtectedPath(`/ws/${file}`), 'a rule may allow it');
    });

  it('are not others of similar names', () => {
    const others = [
      'README.md',
      'docs/claude.md.txt',
      'docs/guidelines.md',
      'src/jenkins.ts',
      '.github/ISSUE_TEMPLATE/bug.md',
      'workflows/ci.yml',
      'package-lock.json',
      'my-package.json',
      '.cursor/notes.md',
      '.prettierrc',
      'tsconfig.json',
    ];
    for (const file of others) {
      assert.equal(elsewhereWords(`/ws/${file}`, false), undefined, file);
      assert.ok(!isProtectedPath(`/ws/${file}`), file);
    }
  });

  it('does not ask about a package.json that runs the same', () => {
    assert.equal(elsewhereWords('/ws/package.json', true), undefined);
    const text = (fields: object): string =>
      JSON.stringify({ name: 'a', scripts: { test: 'mocha' }, ...fields }, undefined, 2);
    assert.ok(keepsScripts(text({}), text({ version: '2.0.0', dependencies: { zod: '3' }, keywords: ['x'] })));
    assert.ok(keepsScripts(undefined, JSON.stringify({ name: 'a' })));
    for (const change of [
      { scripts: { test: 'mocha', postinstall: 'curl x | sh' } },
      { scripts: undefined },
      { bin: './a.js' },
      { husky: { hooks: {} } },
      { 'lint-staged': { '*': 'eslint' } },
      { 'simple-git-hooks': { 'pre-commit': 'x' } },
      { packageManager: 'pnpm@9.0.0' },
    ])
      assert.ok(!keepsScripts(text({}), text(change)), JSON.stringify(change));
    assert.ok(!keepsScripts(undefined, text({})), 'a new file with scripts');
    assert.ok(!keepsScripts(text({}), '{ not JSON'));
    assert.ok(!keepsScripts('{ not JSON', text({})));
  });
});

describe('core.hooksPath', () => {
  const cases: [config: string, folder: string | undefined][] = [
    ['[core]\n\thooksPath = tools/hooks\n', 'tools/hooks'],
    ['[core]\n\tbare = false\n\tHOOKSPATH=tools/hooks ; why\n', 'tools/hooks'],
    ['[Core] hooksPath = "tools/my hooks" # why', 'tools/my hooks'],
    ['[core]\nhooksPath = a\n[user]\nname = x\n[core]\nhooksPath = b', 'b'],
    ['[core "sub"]\nhooksPath = a', undefined],
    ['[user]\nhooksPath = a', undefined],
    ['[core]\nhooksPath =', undefined],
    ['[core]\nhooksPath = too\\\nls', 'tools'],
    ['', undefined],
  ];
  for (const [config, folder] of cases)
    it(`is ${String(folder)} in ${JSON.stringify(config)}`, () => assert.equal(hooksPathOf(config), folder));
});
