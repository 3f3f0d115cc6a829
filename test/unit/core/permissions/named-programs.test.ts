// Programs that stand behind options: deny rules find them, and no allow rule for the program in front covers them.
import assert from 'node:assert/strict';
import { verdictOf } from './permission-table';

describe('deny rules look behind options', () => {
  const denied: [string, string[]][] = [
    [
      'Bash(git push:*)',
      [
        'git -C . push',
        'git --no-pager push',
        'git -c a=b push origin',
        'git -C x -c y=z --git-dir .git push',
        'git --git-dir=.git push',
        'sudo git -C x push',
      ],
    ],
    ['Bash(npm publish:*)', ['npm --silent publish', 'npm -s publish', 'npm --prefix a publish']],
    ['Bash(kubectl delete:*)', ['kubectl -n prod delete pod x', 'kubectl --context=a --namespace b delete pod x']],
    ['Bash(cargo publish:*)', ['cargo +nightly publish', 'cargo -q publish']],
    ['Bash(./gradlew publish:*)', ['./gradlew -q publish']],
    [
      'Bash(rm:*)',
      [
        "env -S'rm x'",
        "env --split-string='rm x'",
        'echo rm x | sh',
        "printf 'rm x\\n' | sudo bash",
        'echo a | bash -s; echo rm x',
        'fakeroot rm x',
        'xvfb-run rm x',
        "tmux new -d 'rm x'",
        "fish -c 'rm x'",
        "git -c alias.x='!rm x' x",
        "git submodule foreach 'rm x'",
        'git submodule foreach --recursive rm x',
        'git bisect run rm x',
        "git rebase -x 'rm x' main",
        "git rebase --ex='rm x'",
        'fd -Hx rm',
        'fd --exec=rm',
        'fd -xrm',
        "tar xf a --to-command='rm x'",
        "rsync -e 'rm x' a b",
        "npm exec -c 'rm x'",
      ],
    ],
  ];
  for (const [rule, commands] of denied) {
    for (const command of commands) {
      it(`${rule} — ${command}`, () =>
        assert.equal(verdictOf('bypassPermissions', [`deny ${rule}`], `Bash ${command}`).behavior, 'deny'));
    }
  }

  it('deny nothing that only holds the words', () => {
    const free: [string, string[]][] = [
      [
        'Bash(git push:*)',
        ['git -C push status', 'git --no-pager log push', 'git stash push', 'git -c push=push status'],
      ],
      ['Bash(npm test:*)', ['npm --prefix test run build', 'npm run build -- --x test']],
      [
        'Bash(rm:*)',
        [
          'echo rm x',
          'echo rm x | bash script.sh',
          'git rebase -i main',
          'fd -H rm',
          'tar xf rm.tar',
          'env -u A node x',
        ],
      ],
    ];
    for (const [rule, commands] of free) {
      for (const command of commands)
        assert.equal(verdictOf('bypassPermissions', [`deny ${rule}`], `Bash ${command}`).behavior, 'allow', command);
    }
  });

  it('fd only reads where no letter runs something, also behind a digit', () => {
    for (const command of ['fd -0x rm', 'fd -1X rm', 'fd -H0X rm'])
      assert.equal(verdictOf('default', [], `Bash ${command}`).behavior, 'ask', command);
  });

  it('removing home asks, also where a shell reads it', () => {
    assert.equal(verdictOf('bypassPermissions', [], 'Bash echo "rm -rf ~" | sh').code, 'critical-path');
  });
});

describe('a prefix rule covers no other program', () => {
  const table: { rule: string; asks: string[]; free: string[] }[] = [
    {
      rule: 'Bash(git:*)',
      asks: [
        "git submodule foreach 'x'",
        'git bisect run sh -c x',
        'git rebase --exec x main',
        'git rebase -ix x main',
        'git difftool -x x',
        "git grep -O'sh -c x' y",
        "git clone 'ext::sh -c x' a",
        "git clone --upload-pack='sh x' . y",
        'git fetch --upload-pack x .',
        'git fetch --upload-p=x .',
        'git push --receive-pack=x . y',
        'git push --ex=x .',
        'git archive --remote=. --exec=x',
        'git clone -c core.hooksPath=x y',
        'git init --template=x y',
      ],
      free: [
        'git submodule update --init --recursive',
        'git rebase -i main',
        'git rebase --continue',
        'git push -u origin HEAD',
        'git cherry-pick -x a',
        'git fetch --all --prune',
        'git bisect start',
        'git clone -b main --depth 1 git@github.com:a/b',
        'git commit -m "run foreach --exec"',
      ],
    },
    { rule: 'Bash(git fetch:*)', asks: ["git fetch --upload-pack='sh x' ."], free: ['git fetch origin main'] },
    { rule: 'Bash(git submodule foreach:*)', asks: [], free: ['git submodule foreach git status'] },
    {
      rule: 'Bash(tar:*)',
      asks: [
        'tar xf a.tar --checkpoint=1 --checkpoint-action=exec=sh',
        'tar xf a.tar --to-command=sh',
        "tar -I 'sh -c x' -xf a",
        'tar --use-comp=./x -xf a',
      ],
      free: ['tar -I zstd -xf a.tar', 'tar xzf a.tgz', 'tar xf a.tar --checkpoint=10'],
    },
    {
      rule: 'Bash(rsync:*)',
      asks: ["rsync -e 'sh -c x' a b:", 'rsync --rsync-path=x a b'],
      free: [
        'rsync -a src/ dst/',
        "rsync -avz -e 'ssh -p 22' a b",
        'rsync -ave ssh a b',
        'rsync -a --delete --exclude=x a b',
      ],
    },
    {
      rule: 'Bash(go test:*)',
      asks: ["go test -exec 'sh x' ./...", 'go test -toolexec=./x ./...'],
      free: ['go test ./... -run Exec -v'],
    },
    { rule: 'Bash(rg:*)', asks: ['rg --pre sh x'], free: ['rg --pretty x'] },
    {
      rule: 'Bash(fd:*)',
      asks: ['fd -Hx rm', 'fd --exec=rm', 'fd -1X rm', 'fd -X rm'],
      free: ['fd -H x', 'fd -etsx a', 'fd -tx', 'fd -Htx a'],
    },
    { rule: 'Bash(make:*)', asks: ["make --eval '$(shell id)'"], free: ['make -j4 test', 'make CC=clang'] },
    {
      rule: 'Bash(npm:*)',
      asks: ["npm exec -c 'x'", 'npm run build --script-shell=/tmp/x'],
      free: ['npm ci', 'npm test -- -c x', 'npm run dev -c config.json'],
    },
    { rule: 'Bash(npx eslint:*)', asks: [], free: ['npx eslint -c .eslintrc.json src', 'npx eslint --call src'] },
    {
      rule: 'Bash(npx:*)',
      asks: ["npx -c 'x'", "npx -p a -c 'x'", "npx -y --package=a --call 'x'", "npx --registry https://a.b -c 'x'"],
      free: [
        'npx jest -c jest.config.js',
        'npx -y prettier -c src',
        'npx --yes vitest run -c vitest.config.ts',
        'npx -p typescript tsc -p .',
        'npx --package=a b -c x',
      ],
    },
  ];
  for (const { rule, asks, free } of table) {
    it(rule, () => {
      for (const command of asks)
        assert.equal(verdictOf('default', [`allow ${rule}`], `Bash ${command}`).behavior, 'ask', command);
      for (const command of free)
        assert.equal(verdictOf('default', [`allow ${rule}`], `Bash ${command}`).behavior, 'allow', command);
    });
  }
});
