// The table of verdicts: rules, mode and call on the left, what must come out on the right.
import assert from 'node:assert/strict';
import { type PermissionContext } from '../../../../src/core/permissions/verdict';
import { type PermissionMode } from '../../../../src/shared/permission';
import { verdictOf } from './permission-table';

interface Block {
  title: string;
  mode?: PermissionMode;
  rules?: string[];
  changes?: Partial<PermissionContext>;
  expected: string;
  calls: string[];
}

const blocks: Block[] = [
  {
    title: 'reading in the workspace',
    expected: 'allow inside-workspace',
    calls: ['Read /ws/a.ts', 'Read /ws', 'Grep /ws/src', 'Glob /ws', 'Read /ws/.git/config', 'Read /ws/sub/../a.ts'],
  },
  { title: 'reading Deft\'s own results', expected: 'allow own-file', calls: ['Read /home/u/.deft/results/1.txt'] },
  {
    title: 'reading elsewhere',
    expected: 'ask outside-workspace',
    calls: ['Read /etc/passwd', 'Read /ws2/a', 'Grep /', 'Glob /home/u', 'Read /ws/link -> /etc/passwd', 'Read /etc/link -> /ws/a', 'Read /ws/../etc/passwd', 'Read //server/share/a', 'Read C:/Windows/win.ini'],
  },
  { title: 'edits in default mode', expected: 'ask mode', calls: ['Edit /ws/a.ts', 'Write /ws/new/b.ts'] },
  { title: 'edits in acceptEdits', mode: 'acceptEdits', expected: 'allow mode', calls: ['Edit /ws/a.ts', 'Write /ws/new/b.ts', 'Edit /ws/.claude/worktrees/x/a.ts', 'Edit /ws/.github/workflows/ci.yml', 'Write /ws/.gitignore'] },
  { title: 'edits elsewhere', mode: 'acceptEdits', expected: 'ask outside-workspace', calls: ['Edit /etc/hosts', 'Write /home/u/a', 'Write /ws/link -> /home/u/x', 'Write /other -> /ws/x', 'Edit /ws-two/a'] },
  {
    title: 'protected files',
    mode: 'acceptEdits',
    rules: ['allow Edit', 'allow Edit(//**)'],
    expected: 'ask protected-path',
    calls: [
      'Edit /ws/.git/hooks/pre-commit', 'Write /ws/.vscode/settings.json', 'Write /ws/.idea/x.xml', 'Edit /ws/.husky/pre-push', 'Write /ws/.deft/plugins/plugins.json', 'Write /ws/.cargo/config.toml',
      'Write /ws/.devcontainer/devcontainer.json', 'Write /ws/.yarn/releases/y.cjs', 'Write /ws/.mvn/wrapper/x', 'Write /ws/.claude/settings.json', 'Write /ws/sub/.claude/hooks/a.sh',
      'Edit /ws/.bashrc', 'Edit /home/u/.zshrc', 'Edit /home/u/.config/git/config', 'Edit /ws/.gitconfig', 'Write /ws/.gitmodules', 'Write /ws/.envrc', 'Write /ws/.npmrc', 'Write /ws/.yarnrc.yml',
      'Write /ws/.pnp.cjs', 'Write /ws/.pnpmfile.cjs', 'Write /ws/bunfig.toml', 'Write /ws/.bazelrc', 'Write /ws/.pre-commit-config.yaml', 'Write /ws/lefthook.yml',
      'Write /ws/gradle/wrapper/gradle-wrapper.properties', 'Write /ws/.devcontainer.json', 'Write /ws/.ripgreprc', 'Write /ws/pyrightconfig.json', 'Write /ws/.mcp.json', 'Write /ws/.claude.json',
      'Write /ws/.GIT/config', 'Write /ws/.git./config', 'Write /ws/.git::$INDEX_ALLOCATION/config', 'Write /ws/GIT~1/config', 'Write /ws/.g\u200cit/config', 'Write /ws/a.code-workspace',
      'Edit /ws/innocent -> /ws/.git/config',
    ],
  },
  { title: 'plan mode reads', mode: 'plan', expected: 'allow inside-workspace', calls: ['Read /ws/a', 'Grep /ws'] },
  { title: 'plan mode asks for what lies elsewhere', mode: 'plan', expected: 'ask outside-workspace', calls: ['Read /etc/hosts', 'Bash cat /etc/hosts'] },
  { title: 'plan mode denies the rest', mode: 'plan', rules: ['allow Bash', 'allow Edit'], expected: 'deny mode', calls: ['Edit /ws/a', 'Write /ws/b', 'Write /ws/.git/config', 'Bash npm test', 'Bash rm a', 'Bash echo a > b', 'Bash ls "', 'Bash mkdir x', 'Bash case x in x) ls;; esac'] },
  { title: 'plan mode looks', mode: 'plan', expected: 'allow read-only', calls: ['Bash ls', 'Bash git log --oneline | head -n 5', 'Bash grep -rn foo src'] },
  { title: 'bypass allows', mode: 'bypassPermissions', expected: 'allow mode', calls: ['Edit /etc/hosts', 'Write /ws/.git/config', 'Read /etc/shadow', 'Bash npm publish', 'Bash rm -rf build', 'Bash curl x | sh', 'Bash for i in 1 2; do rm x$i; done', 'Bash case $1 in a) make;; esac', 'Bash rm -rf /tmp/x/y', 'Bash f() { ls; }; f'] },
  { title: 'bypass still asks', mode: 'bypassPermissions', rules: ['ask Bash(git push:*)', 'ask Edit(/dist/**)'], expected: 'ask rule', calls: ['Bash git push', 'Bash cd x && git push -f', 'Bash sudo git push', 'Edit /ws/dist/a', 'Bash echo > dist/a'] },
  {
    title: 'bypass asks before critical removals',
    mode: 'bypassPermissions',
    rules: ['allow Bash', 'allow Bash(rm -rf /)'],
    expected: 'ask critical-path',
    calls: [
      'Bash rm -rf /', 'Bash rm -rf /*', 'Bash rm -fr /etc', 'Bash rm -r ~', 'Bash rm -rf ~/', 'Bash rm -rf $HOME', 'Bash rm -rf "$HOME"/', 'Bash rm -rf /home/u', 'Bash rm -rf .', 'Bash rm -rf ..', 'Bash rm -rf ./',
      'Bash rm -rf *', 'Bash rm -rf ./*', 'Bash rm -rf /ws', 'Bash rmdir /home', 'Bash rm -rf "$X"/*', 'Bash rm -rf $X/', 'Bash rm -rf ${BUILD}/*', 'Bash echo $(rm -rf /)', 'Bash sudo rm -rf /', 'Bash env A=1 rm -rf /usr',
      'Bash bash -c "rm -rf /"', 'Bash sh -c \'cd x; rm -rf ~\'', 'Bash X=rm; $X -rf /', 'Bash find src -exec rm -rf / \\;', 'Bash cd sub && rm -rf ..', 'Bash cd / && rm -rf etc', 'Bash rm -rf {/,x}', 'Bash rm -rf /ws/../ws', 'Bash \\rm -rf /',
      'Bash /bin/rm -rf /', 'Bash true && (rm -rf /)', 'Bash rm -rf ~root', 'Bash rm -rf "$PWD"', 'Bash echo / | xargs rm -rf', 'Bash bash <<EOF\nrm -rf /\nEOF', 'Bash rm -rf C:/', 'Bash case a in a) rm -rf /;; esac', 'Bash f() { rm -rf /; }; f',
      'Bash if true; then rm -rf /; fi', 'Bash eval "rm -rf /"', 'Bash rm -rf -- /', 'Bash rm -rf \'/\'',
    ],
  },
  { title: 'critical removals ask in acceptEdits', mode: 'acceptEdits', expected: 'ask critical-path', calls: ['Bash rm -rf /', 'Bash rm -rf .', 'Bash rmdir ..', 'Bash rm -rf /ws'] },
  {
    title: 'commands that only read',
    expected: 'allow read-only',
    calls: [
      'Bash ls', 'Bash ls -la src', 'Bash cat a.ts', 'Bash echo hi', 'Bash echo "$HOME"', 'Bash pwd', 'Bash head -n 5 a', 'Bash tail -5 a', 'Bash grep -rn "a b" src', 'Bash find . -name "*.ts"', 'Bash find src -type f -mtime -7', 'Bash wc -l a b',
      'Bash which node', 'Bash diff a b', 'Bash stat a', 'Bash du -sh src', 'Bash cd src', 'Bash cd /ws', 'Bash cd src && ls', 'Bash cd src && ls ../README.md | head', 'Bash git status', 'Bash git diff HEAD~1', 'Bash git log -p -1', 'Bash git show HEAD', 'Bash git branch', 'Bash git branch -a', 'Bash git branch --show-current', 'Bash git remote -v',
      'Bash git stash list', 'Bash git tag -l "v*"', 'Bash git config --get user.name', 'Bash git rev-parse HEAD', 'Bash git blame a.ts', 'Bash git --no-pager log', 'Bash rg foo src', 'Bash sort a | uniq -c', 'Bash sed -n 1,5p a', "Bash sed 's/a/b/g' a", 'Bash ls *.ts', 'Bash ls src/*.ts', 'Bash cat < a', 'Bash ls 2>/dev/null', 'Bash ls > /dev/null 2>&1',
      'Bash ls | wc -l', 'Bash ls; pwd', 'Bash ls &', 'Bash (ls)', 'Bash { ls; }', 'Bash ! ls', 'Bash time ls', 'Bash timeout 5 ls', 'Bash LC_ALL=C sort a', 'Bash if ls; then pwd; fi', 'Bash for f in a b; do echo $f; done', 'Bash echo $(git rev-parse HEAD)', 'Bash diff <(ls a) <(ls b)', 'Bash node --version', 'Bash date +%s', 'Bash cat <<EOF\nrm -rf /\nEOF', 'Bash cat <<< "x"', 'Bash echo \'rm -rf /\'', 'Bash ls # rm -rf /',
      'Bash find . \\( -name a -o -name b \\) -print', 'Bash cut -d/ -f1 a', 'Bash tree -L 2', 'Bash jq . package.json', 'Bash test -f a', 'Bash [ -d src ]', 'Bash command -v node', 'Bash echo $((1 + 2))', 'Bash base64 -d a', 'Bash git log --format="%h / %s"', 'Bash git log main..dev', 'Bash cat /ws/a', 'Bash cat /home/u/.deft/results/1.txt',
    ],
  },
  {
    title: 'reading commands that point elsewhere',
    expected: 'ask outside-workspace',
    calls: ['Bash cat /etc/passwd', 'Bash ls ~', 'Bash ls ..', 'Bash head ../x', 'Bash grep root /etc/passwd', 'Bash find / -name id_rsa', 'Bash cd /tmp', 'Bash cd', 'Bash cd ..', 'Bash cd -', 'Bash ls -lat /etc', 'Bash cat ~/.ssh/id_rsa', 'Bash sed -n 1p /etc/passwd', 'Bash diff a /etc/b', 'Bash cd sub; cat ../x', 'Bash git diff --no-index /etc/passwd a', 'Bash cat < /etc/passwd', 'Bash ls ~root', 'Bash cat */../../x', 'Bash wc --files0-from=/etc/x', 'Bash grep -f/etc/passwd a', 'Bash column -t /etc/passwd', 'Bash cat /ws/../etc/passwd', 'Bash cat C:/Windows/win.ini', "Bash cat 'src/..\\..\\x'", 'Bash cat /dev/tcp/evil/80', 'Bash od -w /etc/shadow', 'Bash ls -T /etc', 'Bash grep -i 5 /etc/passwd', 'Bash grep -C 5 x /etc/passwd'],
  },
  {
    title: 'commands that do more than read',
    expected: 'ask unknown-command',
    calls: [
      'Bash npm test', 'Bash rm a', 'Bash mkdir x', 'Bash touch x', 'Bash node a.js', 'Bash find src -delete', 'Bash find src -exec rm {} \\;', 'Bash find . -fprint x', 'Bash find . -ok ls \\;', 'Bash sort -o a b', 'Bash sort --out=a b', 'Bash sort --compress-program=sh a', 'Bash uniq a b', 'Bash rg --pre sh x', 'Bash rg -z x', 'Bash rg --hostname-bin=x y',
      'Bash sed -i s/a/b/ a', "Bash sed 's/a/b/w out' a", "Bash sed 's/a/id/e' a", "Bash sed -n 'w out' a", 'Bash sed e a', 'Bash sed -f x a', 'Bash tee x', 'Bash ls | xargs rm', 'Bash ls | xargs cat', 'Bash env ls', 'Bash git push', 'Bash git -c core.pager=sh log', 'Bash git --exec-path=x log', 'Bash git --git-dir=x log', 'Bash git -C x log', 'Bash git -p log', 'Bash git diff --output=x',
      'Bash git diff --outp=x', 'Bash git log --ext-diff', 'Bash git grep -Ovim x', 'Bash git grep --open=vim x', 'Bash git branch new', 'Bash git branch -D x', 'Bash git tag v1', 'Bash git remote add a b', 'Bash git remote update', 'Bash git stash', 'Bash git stash drop', 'Bash git config user.name x', 'Bash git config --get x --edit', 'Bash git reflog expire --all', 'Bash git ls-remote ext::sh', 'Bash git fetch', 'Bash date -s 1', 'Bash date 01010101',
      'Bash tree -o x', 'Bash file -C', 'Bash awk 1 a', 'Bash less a', 'Bash more a', 'Bash man ls', 'Bash hostname evil', 'Bash X=1 ls', 'Bash PATH=. ls', 'Bash LD_PRELOAD=x ls', 'Bash PATH=.', 'Bash GIT_PAGER=sh git log', 'Bash $X', 'Bash $(echo ls)', 'Bash find $X', 'Bash sort *', 'Bash git log *', 'Bash printf -v PATH x', 'Bash test -v a', 'Bash [ $X ]', 'Bash ls && npm test', 'Bash ls; rm a', 'Bash ls | sh', 'Bash ls & rm a', 'Bash ls\nrm a',
      'Bash echo $(rm a)', 'Bash echo `rm a`', 'Bash cat <(rm a)', 'Bash cat <<EOF\n$(rm a)\nEOF', 'Bash echo "${x:-$(rm a)}"', 'Bash if ls; then rm a; fi', 'Bash while true; do rm a; done', 'Bash ./ls', 'Bash /tmp/ls', 'Bash exec ls', 'Bash eval ls', 'Bash source a', 'Bash . a', 'Bash export A=1', 'Bash alias ls=rm', 'Bash sudo ls', 'Bash bash -c ls', 'Bash watch ls', 'Bash tail -f a', 'Bash ps eww', 'Bash xxd a b', 'Bash jq -f x a', 'Bash fd -x rm', 'Bash cd src && git status', 'Bash nohup ls', 'Bash fd -l',
    ],
  },
  {
    title: 'redirections',
    rules: ['allow Bash(echo:*)', 'allow Bash(npm test)'],
    expected: 'ask redirection',
    calls: ['Bash echo a > b', 'Bash echo a >> b', 'Bash npm test > out.txt', 'Bash echo a &> b', 'Bash echo a >| b', 'Bash echo a >& b', 'Bash ls > ~/x', 'Bash ls > *.ts', 'Bash ls > $X', 'Bash (ls) > x', 'Bash { ls; } > x', 'Bash > x', 'Bash ls > /etc/x', 'Bash ls <> x'],
  },
  { title: 'redirections to protected files', mode: 'acceptEdits', rules: ['allow Bash(echo:*)', 'allow Edit'], expected: 'ask protected-path', calls: ['Bash echo a > .git/config', 'Bash echo x >> .bashrc', 'Bash cd .git && echo x > config', 'Bash (echo x) > .npmrc', 'Bash echo x | tee .vscode/tasks.json', 'Bash cp a .git/hooks/x', 'Bash mv .git x', 'Bash rm -r .git', 'Bash cp x/.bashrc .', 'Bash sed -i s/a/b/ .npmrc', 'Bash touch .mcp.json', 'Bash ln -s x .git/y', 'Bash sudo rm .bashrc'] },
  { title: 'redirections in acceptEdits', mode: 'acceptEdits', expected: 'allow mode', calls: ['Bash echo a > b', 'Bash cat <<EOF > a.txt\nhi\nEOF', 'Bash ls > src/list'] },
  { title: 'redirections that an edit rule covers', rules: ['allow Edit(/out/**)'], expected: 'allow rule', calls: ['Bash echo a > out/b', 'Bash echo a | cat > out/c'] },
  { title: 'file commands in acceptEdits', mode: 'acceptEdits', expected: 'allow mode', calls: ['Bash mkdir -p a/b', 'Bash touch a', 'Bash rm -rf build', 'Bash rm a b', 'Bash rmdir a', 'Bash mv a b', 'Bash cp -r a b', "Bash sed -i 's/a/b/' a", 'Bash mkdir a && touch a/b && ls a', 'Bash rm /ws/a', 'Bash cd sub && rm a', 'Bash rm -- a', "Bash sed -i.bak 's/a/b/' a"] },
  { title: 'file commands elsewhere', mode: 'acceptEdits', expected: 'ask outside-workspace', calls: ['Bash rm /etc/hosts/x', 'Bash rm ../x/y', 'Bash cp /etc/passwd .', 'Bash cp a /tmp/b', 'Bash mv a /tmp/', 'Bash mkdir /opt/x', 'Bash cd /tmp && rm a/b', 'Bash touch /ws/../x', 'Bash sed -i s/a/b/ /etc/hosts'] },
  { title: 'file commands that are not plain', mode: 'acceptEdits', expected: 'ask unknown-command', calls: ['Bash rm $X', 'Bash rm *.ts', 'Bash cp -t x a', 'Bash rm ~/x', 'Bash cp --target-directory=x a', 'Bash cp -r x/. y', 'Bash chmod +x a', 'Bash ln -s a b', 'Bash sudo rm a', 'Bash npm test', 'Bash ls | xargs rm', 'Bash mkdir -m 777 x', "Bash sed -i 's/a/b/e' a", 'Bash X=1 rm a', 'Bash find src -delete', 'Bash timeout 5 rm a'] },
  {
    title: 'commands that do not parse plainly',
    rules: ['allow Bash', 'allow Bash(ls:*)', 'allow Bash(echo:*)'],
    expected: 'ask unparsed-command',
    calls: [
      'Bash ls "', "Bash echo 'a", 'Bash ls &&', 'Bash && ls', 'Bash echo a(b)', 'Bash ls *(e:id:)', 'Bash ls @(a|b)', 'Bash (ls', 'Bash ls)', 'Bash cat <<EOF', 'Bash case x in x) ls;; esac', 'Bash f() { ls; }', 'Bash [[ -f a ]]', 'Bash (( 1 ))', 'Bash for ((;;)); do ls; done', 'Bash echo ${x@P}', 'Bash echo ${!x}', 'Bash echo $((x))', 'Bash echo ${a[$(id)]}', 'Bash a=(1 2)', 'Bash ls ;; ls',
      'Bash ls\u00a0-la', 'Bash ls\u200b', 'Bash ls\rrm a', `Bash ls ${'a'.repeat(10_001)}`, 'Bash coproc ls', 'Bash select x in a; do ls; done', 'Bash cd x || ls', 'Bash echo <(ls)#; rm a', 'Bash diff <(ls a)#<(ls b', 'Bash for PATH in a; do ls; done', 'Bash echo ${x:=y}', 'Bash ', 'Bash # nothing', 'Bash ls | | wc', 'Bash echo \u202egnp',
    ],
  },
  { title: 'exact command rules', rules: ['allow Bash(npm test)', 'allow Bash(npm run build > out.txt)', 'allow Bash(cat /etc/hosts)', 'allow Bash(git push origin \\*)'], expected: 'allow rule', calls: ['Bash npm test', 'Bash  npm test ', 'Bash npm test && ls', 'Bash ls; npm test', 'Bash CI=1 npm test', 'Bash timeout 60 npm test', 'Bash time npm test', 'Bash npm test 2>&1 | tail -n 20', 'Bash npm run build > out.txt', 'Bash cat /etc/hosts', 'Bash git push origin *'] },
  { title: 'exact rules do not reach further', rules: ['allow Bash(npm test)', 'allow Bash(git push origin \\*)'], expected: 'ask unknown-command', calls: ['Bash npm test -- x', 'Bash npm tests', 'Bash npm', 'Bash npm test && rm a', 'Bash npm test; rm a', 'Bash npm test | sh', 'Bash npm test & rm a', 'Bash npm test\nrm a', 'Bash npm test $(rm a)', 'Bash NODE_OPTIONS=x npm test', 'Bash sudo npm test', 'Bash "npm test"', 'Bash git push origin main', 'Bash timeout -x npm test', 'Bash env npm test'] },
  { title: 'prefix rules', rules: ['allow Bash(npm run:*)', 'allow Bash(git log *)', 'allow Bash(make *)', 'allow Bash(docker * ps)', 'allow Bash(node:*)'], expected: 'allow rule', calls: ['Bash npm run', 'Bash npm run build', 'Bash npm  run   build', 'Bash npm run a && npm run b', 'Bash make', 'Bash make all', 'Bash docker -H x ps', 'Bash npm run $X', 'Bash ls | xargs make', 'Bash node a.js', 'Bash nice -n 5 npm run x', 'Bash nohup npm run x &'] },
  { title: 'prefixes end at a word', rules: ['allow Bash(npm run:*)', 'allow Bash(make *)', 'allow Bash(x:*y)'], expected: 'ask unknown-command', calls: ['Bash npm runx', 'Bash makefile', 'Bash npm install', 'Bash npm', 'Bash x y', 'Bash npm run x && npm install', 'Bash "npm" run x', 'Bash npm run x | bash'] },
  { title: 'stars inside rules', rules: ['allow Bash(kubectl* get pods)', 'allow Bash(l2*)'], expected: 'allow rule', calls: ['Bash kubectl get pods', 'Bash kubectl --context a get pods', 'Bash l2ping', 'Bash l2'] },
  { title: 'never by a prefix', rules: ['allow Bash(watch:*)', 'allow Bash(watch ls:*)', 'allow Bash(setsid:*)', 'allow Bash(ionice -c 3 *)', 'allow Bash(flock:*)', 'allow Bash(find:*)', 'allow Bash(env:*)', 'allow Bash(sudo:*)', 'allow Bash(xargs:*)', 'allow Bash(time:*)', 'allow Bash(command:*)'], expected: 'ask unknown-command', calls: ['Bash watch ls', 'Bash setsid rm a', 'Bash ionice -c 3 rm a', 'Bash flock a rm b', 'Bash find src -exec rm {} +', 'Bash find src -delete', 'Bash env rm a', 'Bash sudo rm a', 'Bash xargs -I{} rm {}', 'Bash time rm a', 'Bash command rm a'] },
  { title: 'first-word rules do not cover inline code', rules: ['allow Bash(bash:*)', 'allow Bash(sh:*)', 'allow Bash(python:*)', 'allow Bash(python3:*)', 'allow Bash(node:*)', 'allow Bash(perl:*)', 'allow Bash(git:*)', 'allow Bash(eval:*)'], expected: 'ask unknown-command', calls: ['Bash bash -c "x"', 'Bash bash -lc "x"', 'Bash sh', 'Bash ls | sh', 'Bash python3 -c "x"', 'Bash python -', 'Bash python3 <<EOF\nx\nEOF', 'Bash node -e "x"', 'Bash node -p 1', 'Bash perl -ne x', 'Bash git reset --hard', 'Bash git clean -fdx', 'Bash git push -f', 'Bash git push origin +main', 'Bash git push origin :main', 'Bash git branch -D x', 'Bash git stash clear', 'Bash git checkout -- .', 'Bash git restore a', 'Bash git -c alias.x=!sh x', 'Bash eval x', 'Bash python3.12 -c x'] },
  { title: 'two-word rules name what they mean', rules: ['allow Bash(git reset:*)', 'allow Bash(python -c:*)', 'allow Bash(sudo apt-get:*)', 'allow Bash(git push:*)'], expected: 'allow rule', calls: ['Bash git reset --hard', 'Bash python -c "x"', 'Bash sudo apt-get update', 'Bash git push --force'] },
  { title: 'the whole tool', rules: ['allow Bash'], expected: 'allow rule', calls: ['Bash npm publish', 'Bash cat /etc/passwd', 'Bash ls > x', 'Bash $X', 'Bash bash -c "x"'] },
  { title: 'prefix rules stay in the workspace', rules: ['allow Bash(cat:*)', 'allow Bash(rm:*)', 'allow Bash(cp:*)', 'allow Bash(tee:*)'], expected: 'ask outside-workspace', calls: ['Bash cat /etc/passwd', 'Bash rm /etc/x/y', 'Bash rm $X', 'Bash cp a ~/b', 'Bash tee /etc/x', 'Bash ls | xargs rm'] },
  { title: 'an edit or read rule lets commands touch a path', rules: ['allow Read(//etc/**)', 'allow Read(~/notes/**)'], expected: 'allow read-only', calls: ['Bash cat /etc/hosts', 'Bash ls /etc', 'Bash cat ~/notes/a'] },
  {
    title: 'deny rules see through',
    rules: ['deny Bash(git push:*)', 'allow Bash', 'allow Bash(git push:*)'],
    expected: 'deny rule',
    calls: [
      'Bash git push', 'Bash git push -f', 'Bash ls && git push', 'Bash ls; git push', 'Bash ls || git push', 'Bash ls | git push', 'Bash git push &', 'Bash ls\ngit push', 'Bash (git push)', 'Bash { git push; }', 'Bash $(git push)', 'Bash echo `git push`', 'Bash cat <(git push)', 'Bash "git" push', "Bash g''it push", 'Bash \\git push', 'Bash /usr/bin/git push', 'Bash A=1 git push', 'Bash GIT_DIR=x git push', 'Bash sudo git push', 'Bash sudo -u root git push', 'Bash env A=1 git push',
      'Bash timeout 5 git push', 'Bash nohup git push', 'Bash xargs git push', 'Bash bash -c "git push"', 'Bash sh -lc "ls; git push"', 'Bash eval "git push"', 'Bash eval git push', 'Bash find . -exec git push \\;', 'Bash if ls; then git push; fi', 'Bash while git push; do ls; done', 'Bash f() { git push; }', 'Bash case a in a) git push;; esac', 'Bash git  push', 'Bash git push "', 'Bash ls && git push &&', 'Bash cat <<EOF\n$(git push)\nEOF', 'Bash bash <<EOF\ngit push\nEOF', 'Bash echo ${x:-$(git push)}',
      'Bash ! git push', 'Bash time git push', 'Bash command git push', 'Bash exec git push', 'Bash watch git push', 'Bash git \\\npush', 'Bash for x in 1; do git push; done', 'Bash bash -c \'bash -c "git push"\'', `Bash git push ${'x'.repeat(11_000)}`, 'Bash mywrap git push', 'Bash ./tool --x git push -f',
    ],
  },
  { title: 'deny rules do not reach further', rules: ['deny Bash(git push:*)', 'deny Bash(rm *)', 'deny Bash(x)'], expected: 'allow read-only', calls: ['Bash git status', 'Bash echo "git push"', 'Bash ls # git push', 'Bash echo rm a', 'Bash cat x'] },
  { title: 'deny wins over ask and allow', rules: ['allow Bash(npm test)', 'ask Bash(npm:*)', 'deny Bash(npm test)'], expected: 'deny rule', calls: ['Bash npm test'] },
  { title: 'ask wins over allow', rules: ['allow Bash(npm test)', 'ask Bash(npm:*)'], expected: 'ask rule', calls: ['Bash npm test', 'Bash ls && npm test', 'Bash npm'] },
  { title: 'ask rules hold for reading commands', rules: ['ask Bash(ls:*)'], expected: 'ask rule', calls: ['Bash ls', 'Bash pwd && ls'] },
  { title: 'deny paths', rules: ['deny Read(.env)', 'deny Read(/secrets/**)', 'deny Read(~/.ssh/**)', 'deny Read(//etc/shadow)', 'deny Edit(*.lock)', 'allow Read', 'allow Edit', 'allow Bash'], expected: 'deny rule', calls: ['Read /ws/.env', 'Read /ws/sub/.env', 'Grep /ws/.env', 'Edit /ws/.env', 'Write /ws/.env', 'Read /ws/secrets/a', 'Read /ws/secrets', 'Read /ws/secrets/a/b', 'Read /home/u/.ssh/id_rsa', 'Read /etc/shadow', 'Edit /ws/a.lock', 'Write /ws/x/y.lock', 'Read /ws/link -> /ws/.env', 'Read /ws/.env -> /elsewhere/x', 'Bash cat .env', 'Bash head -n 1 secrets/a', 'Bash grep x .env', 'Bash cat < .env', 'Bash cp .env x', 'Bash sed -n 1p .env', 'Bash sudo cat .env', 'Bash cat sub/../.env', 'Bash cd sub && cat .env', 'Bash cat ~/.ssh/id_rsa', 'Bash bash -c "cat .env"', 'Bash echo x > a.lock', 'Bash touch b.lock', 'Bash tail -f .env', 'Bash cat "$(cat .env)"', 'Bash git show HEAD:.env', 'Bash less .env', 'Bash rm .env', 'Bash diff a .env', 'Bash wc .env'] },
  { title: 'denied paths leave the rest', rules: ['deny Read(.env)', 'deny Edit(*.lock)'], expected: 'allow inside-workspace', calls: ['Read /ws/.env.example', 'Read /ws/a.lock', 'Read /ws/env'] },
  { title: 'wide reading asks where something is hidden', rules: ['deny Read(.env)'], expected: 'ask rule', calls: ['Bash grep -r KEY .', 'Bash rg KEY', 'Bash cat *', 'Bash cat .e*', 'Bash cat $X', 'Bash cat .en[v]', 'Bash rm -r src', 'Bash cp -r src x'] },
  { title: 'path rules for reading', rules: ['allow Read(//data/**)', 'allow Read(~/notes/*.md)', 'allow Read(/../shared/x)', 'allow Edit(//opt/x/**)'], expected: 'allow rule', calls: ['Read /data/a', 'Read /data', 'Read /data/a/b', 'Grep /data/x', 'Glob /data', 'Read /home/u/notes/a.md', 'Read /opt/x/a'] },
  { title: 'path rules do not reach further', rules: ['allow Read(//data/**)', 'allow Read(~/notes/*.md)', 'allow Read(src/**)'], expected: 'ask outside-workspace', calls: ['Read /database/a', 'Read /home/u/notes/a.txt', 'Read /home/u/notes/x/a.md', 'Read /data/link -> /etc/passwd', 'Read /link -> /data/x', 'Read /other/src/a', 'Read /data/../etc/x'] },
  { title: 'path rules for editing', rules: ['allow Edit(/src/**)', 'allow Edit(docs/**)', 'allow Edit(*.md)', 'allow Edit(./conf/*.json)', 'allow Edit(//tmp/x)'], expected: 'allow rule', calls: ['Edit /ws/src/a', 'Write /ws/src/b/c', 'Edit /ws/docs/a', 'Edit /ws/x/y.md', 'Write /ws/conf/a.json', 'Write /tmp/x'] },
  { title: 'edit rules stop at their anchor', rules: ['allow Edit(/src/**)', 'allow Edit(docs/**)', 'allow Edit(./conf/*.json)', 'allow Write(/y/**)'], expected: 'ask mode', calls: ['Edit /ws/lib/src/a', 'Edit /ws/lib/docs/a', 'Write /ws/x/conf/a.json', 'Write /ws/y/a', 'Edit /ws/conf/sub/a.json'] },
  { title: 'one folder name is denied in any depth', rules: ['deny Edit(dist/**)', 'ask Edit(gen/**)'], expected: 'deny rule', calls: ['Edit /ws/dist/a', 'Edit /ws/packages/a/dist/b', 'Write /ws/dist'] },
  { title: 'the source of a rule anchors it', rules: ['allow Edit(/a/**) @ /ws/sub', 'deny Read(/x) @ /ws/sub'], expected: 'allow rule', calls: ['Edit /ws/sub/a/b'] },
  { title: 'allow rules do not travel into an added folder', rules: ['allow Edit(src/**)', 'allow Edit(./src/**)', 'allow Edit(**) @ /home/u/.claude'], changes: { cwd: '/lib', folders: ['/ws', '/lib'] }, expected: 'ask mode', calls: ['Edit /lib/src/a', 'Write /lib/src/b/c'] },
  { title: 'allow rules stay where the session began', rules: ['allow Edit(src/**) @ /home/u/.claude'], changes: { cwd: '/lib', folders: ['/ws', '/lib'] }, expected: 'allow rule', calls: ['Edit /ws/src/a'] },
  { title: 'allow rules of the person give no leave beside their settings', rules: ['allow Edit(**) @ /home/u/notes'], changes: { cwd: '/lib', folders: ['/ws', '/lib'] }, expected: 'ask outside-workspace', calls: ['Edit /home/u/notes/a'] },
  { title: 'allow rules of the folder that a command moved to', rules: ['allow Edit(src/**) @ /lib'], changes: { cwd: '/lib', folders: ['/ws', '/lib'] }, expected: 'allow rule', calls: ['Edit /lib/src/a'] },
  { title: 'a moved folder does not unlock files', rules: ['deny Read(.env)', 'deny Read(secrets/**)'], changes: { cwd: '/ws/sub' }, expected: 'deny rule', calls: ['Read /ws/.env', 'Read /ws/sub/.env', 'Read /ws/secrets/a', 'Read /ws/other/secrets/a'] },
  { title: 'case does not matter where it does not', rules: ['deny Read(.env)', 'deny Bash(git push:*)', 'allow Read'], changes: { ignoreCase: true }, expected: 'deny rule', calls: ['Read /ws/.ENV', 'Read /WS/.Env', 'Bash GIT push', 'Bash cat .ENV'] },
  { title: 'case matters elsewhere', rules: ['deny Read(.env)'], expected: 'allow inside-workspace', calls: ['Read /ws/.ENV'] },
  { title: 'Windows paths', rules: ['deny Read(C:\\secret\\**)', 'deny Read(//d/x)'], changes: { ignoreCase: true }, expected: 'deny rule', calls: ['Read C:/secret/a', 'Read c:\\secret\\b', 'Read D:/x'] },
  { title: 'bare rules', rules: ['deny Read'], expected: 'deny rule', calls: ['Read /ws/a', 'Grep /ws', 'Glob /ws', 'Edit /ws/a', 'Write /ws/b', 'Bash cat a'] },
  { title: 'bare deny of a tool', rules: ['deny Bash', 'deny Edit(*)', 'deny Gr*'], expected: 'deny rule', calls: ['Bash ls', 'Edit /ws/a', 'Write /ws/a', 'Grep /ws'] },
  { title: 'bare ask', rules: ['ask Bash', 'ask Read', 'allow Bash(ls)'], expected: 'ask rule', calls: ['Bash ls', 'Bash npm test', 'Read /ws/a', 'Grep /ws'] },
  { title: 'bare allow', rules: ['allow Read', 'allow Edit', 'allow Bash(*)'], expected: 'allow rule', calls: ['Read /etc/hosts', 'Edit /ws/a', 'Write /etc/x', 'Bash npm test'] },
  { title: 'older names', rules: ['deny edit_file', 'deny BashTool(npm:*)', 'deny FileReadTool(x)'], expected: 'deny rule', calls: ['Edit /ws/a', 'Bash npm test', 'Read /ws/x'] },
  { title: 'allow globs are passed over', rules: ['allow *', 'allow B*', 'allow Ed*'], expected: 'ask mode', calls: ['Edit /ws/a'] },
  { title: 'conditions that cannot be checked ask', rules: ['deny Bash(run_in_background:true)', 'deny Grep(pattern:x)'], expected: 'ask rule', calls: ['Bash ls', 'Grep /ws'] },
  { title: 'an untrusted workspace', mode: 'bypassPermissions', rules: ['allow Bash', 'allow Edit'], changes: { trusted: false }, expected: 'deny untrusted', calls: ['Bash ls', 'Bash npm test', 'Edit /ws/a', 'Write /ws/b'] },
  { title: 'an untrusted workspace can be read', changes: { trusted: false }, expected: 'allow inside-workspace', calls: ['Read /ws/a', 'Grep /ws'] },
  { title: 'an untrusted workspace keeps its denials', rules: ['deny Read(.env)'], changes: { trusted: false }, expected: 'deny rule', calls: ['Read /ws/.env'] },
  { title: 'broken settings', mode: 'bypassPermissions', rules: ['allow Bash', 'allow Edit'], changes: { brokenSettings: ['.claude/settings.json'] }, expected: 'ask rule', calls: ['Bash npm test', 'Edit /ws/a', 'Write /etc/x', 'Bash echo a > b', 'Bash rm a'] },
  { title: 'broken settings leave reading', changes: { brokenSettings: ['x'] }, expected: 'allow read-only', calls: ['Bash ls', 'Bash git status'] },
  { title: 'broken settings in acceptEdits', mode: 'acceptEdits', changes: { brokenSettings: ['x'] }, expected: 'ask rule', calls: ['Edit /ws/a', 'Bash mkdir a', 'Bash echo > x'] },
  { title: 'reading that stays free', expected: 'allow read-only', calls: ['Bash cat ../ws/a', 'Bash ls ./src', 'Bash cd src && cat ../a', 'Bash grep -rnE "a|b" src', 'Bash grep -rn --include=*.ts x src', 'Bash head -qn 3 a', 'Bash diff -u a b', 'Bash sort -rnk2 a', 'Bash git grep x', 'Bash grep -A3 -ne x a', 'Bash cd a; cd b; ls', 'Bash expand -t 4 a'] },
  { title: 'git that names files stays free beside a deny rule', rules: ['deny Read(.env)'], expected: 'allow read-only', calls: ['Bash git status', 'Bash git log --oneline -5', 'Bash git diff --stat', 'Bash git branch', 'Bash git show --name-only HEAD'] },
  { title: 'git runs unasked only in a workspace folder', changes: { cwd: '/ws/sub' }, expected: 'allow read-only', calls: ['Bash cd /ws && git status'] },
  { title: 'folders that a line enters are not critical', mode: 'bypassPermissions', expected: 'allow mode', calls: ['Bash mkdir gone && cd gone && rmdir ../gone', 'Bash cd sub && rm -rf /ws/sub/x'] },
  { title: 'files of processes that hold no memory', mode: 'bypassPermissions', expected: 'allow mode', calls: ['Read /proc/cpuinfo', 'Bash cat /proc/1/status', 'Bash cat /proc/$PPID/status', 'Bash test -d /proc/self', 'Bash mount -t proc proc /mnt/proc', 'Bash find / -path /proc -prune -o -name x -print', 'Bash ls /', 'Bash mount | grep /proc', 'Bash docker run -v /proc:/host/proc x', 'Read /ws/proc/self', 'Bash grep -r x proc/self', 'Grep /'] },
  { title: 'no workspace', changes: { folders: [] }, expected: 'ask outside-workspace', calls: ['Read /ws/a', 'Bash ls', 'Bash cat a', 'Bash git status'] },
];

describe('decide', () => {
  let rows = 0;
  for (const { title, mode = 'default', rules = [], changes = {}, expected, calls } of blocks) {
    it(title, () => {
      const wrong: string[] = [];
      for (const call of calls) {
        const verdict = verdictOf(mode, rules, call, changes);
        rows++;
        const actual = `${verdict.behavior} ${verdict.code}`;
        if (actual !== expected) wrong.push(`${call.slice(0, 90)}: ${actual} (${verdict.reason})`);
      }
      assert.deepEqual(wrong, [], `expected ${expected}`);
    });
  }
  after(() => {
    console.log(`    ${rows} rows of verdicts`);
    assert.ok(rows >= 250, `only ${rows} rows`);
  });
});
