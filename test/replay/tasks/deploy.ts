// Tasks in deployment scripts for a POSIX shell; their tests run for real.
import { edit, find, lines, list, read, run, slip, write, type Task } from '../intents';

export const deployTasks: readonly Task[] = [
  {
    name: 'deploy/config-prefix',
    repository: 'deploy',
    prompt: '`keep` of staging gives two lines, since keep_logs begins the same. Test and fix config_value.',
    steps: [
      [lines('config_value'), lines('keep', 'config/*')],
      read('lib/config.sh', 'test/config_test.sh'),
      [
        edit(
          'test/config_test.sh',
          '= /srv/app ] || exit 1\n',
          '= /srv/app ] || exit 1\n[ "$(config_value config/staging.conf keep)" = 3 ] || { echo "keep of staging is wrong"; exit 1; }\n',
        ),
        run('sh test/run.sh'),
      ],
      [edit('lib/config.sh', 'grep "^$2" "$1"', 'grep "^$2 *=" "$1"'), run('sh test/run.sh')],
    ],
    answer: 'The name has to end before "=" (`lib/config.sh:3`). The test passes.',
  },
  {
    name: 'deploy/spaces-in-target',
    repository: 'deploy',
    prompt:
      'The staging target has a space, and deploying there goes wrong twice: the space is lost, and paths are not quoted. Fix both.',
    steps: [
      read('lib/config.sh', 'bin/deploy.sh', 'config/staging.conf', 'test/config_test.sh'),
      [
        edit(
          'lib/config.sh',
          `grep "^$2" "$1" | cut -d= -f2 | tr -d ' '`,
          `sed -n "s/^$2 *= *//p" "$1" | sed 's/ *$//'`,
        ),
        edit('bin/deploy.sh', 'mkdir -p $target/releases/$release', 'mkdir -p "$target/releases/$release"'),
        edit(
          'bin/deploy.sh',
          'cp -R "$root/app/." $target/releases/$release',
          'cp -R "$root/app/." "$target/releases/$release"',
        ),
        edit(
          'bin/deploy.sh',
          'ln -sfn "releases/$release" $target/current',
          'ln -sfn "releases/$release" "$target/current"',
        ),
        edit(
          'test/config_test.sh',
          '= /srv/app ] || exit 1\n',
          '= /srv/app ] || exit 1\n[ "$(config_value config/staging.conf target)" = "/tmp/deploy staging" ] || exit 1\n',
        ),
        run('sh test/run.sh'),
        run('sh bin/deploy.sh staging --dry-run'),
      ],
    ],
    answer: 'Values keep their spaces, and all paths are quoted. The dry run names the right folder.',
  },
  {
    name: 'deploy/errors-to-stderr',
    repository: 'deploy',
    prompt: 'fail() should print to standard error, with exit code 1 as before.',
    steps: [
      [find('fail '), lines('echo', 'lib/*.sh')],
      [slip('lib/log.sh', 'fail() {\n\techo "[deploy] $*"', 'fail() {\n\techo "[deploy] $*" >&2')],
      read('lib/log.sh'),
      [
        edit('lib/log.sh', '  echo "[deploy] $*"\n  exit 1', '  echo "[deploy] $*" >&2\n  exit 1'),
        write(
          'test/log_test.sh',
          '. lib/log.sh\n[ -z "$( (fail no) 2>/dev/null)" ] || exit 1\n[ "$( (fail no) 2>&1)" = "[deploy] no" ] || exit 1\n',
        ),
        run('sh test/run.sh'),
      ],
    ],
    answer: '`fail` prints to standard error (`lib/log.sh:6`), with a test.',
  },
  {
    name: 'deploy/usage',
    repository: 'deploy',
    prompt: 'Both scripts should print a usage line and exit with 2 if the environment is missing or unknown.',
    steps: [
      [list('**/*.sh'), list('config/*')],
      read('bin/deploy.sh', 'bin/rollback.sh', 'lib/config.sh', 'lib/log.sh'),
      [
        edit(
          'lib/config.sh',
          '# config_value <file>',
          `# config_of <root> <environment> <usage>: the environment's file; without one, prints the usage and ends the script.
config_of() {
  if [ -z "$2" ] || [ ! -f "$1/config/$2.conf" ]; then
    echo "usage: $3" >&2
    exit 2
  fi
  echo "$1/config/$2.conf"
}

# config_value <file>`,
        ),
        edit(
          'bin/deploy.sh',
          'environment=$1\n',
          'file=$(config_of "$root" "${1:-}" "deploy.sh <environment> [--dry-run]") || exit $?\n',
        ),
        edit(
          'bin/deploy.sh',
          'target=$(config_value "$root/config/$environment.conf" target)',
          'target=$(config_value "$file" target)',
        ),
        edit(
          'bin/deploy.sh',
          'keep=$(config_value "$root/config/$environment.conf" keep)',
          'keep=$(config_value "$file" keep)',
        ),
        edit(
          'bin/rollback.sh',
          'target=$(config_value "$root/config/$1.conf" target)',
          'file=$(config_of "$root" "${1:-}" "rollback.sh <environment>") || exit $?\ntarget=$(config_value "$file" target)',
        ),
        run(
          'sh bin/deploy.sh; echo "code $?"; sh bin/rollback.sh nowhere; echo "code $?"; sh bin/deploy.sh production --dry-run',
        ),
        run('sh test/run.sh'),
      ],
    ],
    answer: 'Both scripts print their usage and exit with 2 (`lib/config.sh:2`).',
  },
  {
    name: 'deploy/version-order',
    repository: 'deploy',
    prompt: 'rollback.sh sorts 1.10.0 before 1.9.0. Sort versions.',
    steps: [
      [lines('sort')],
      read('bin/rollback.sh'),
      [
        edit('bin/rollback.sh', '| sort |', '| sort -t. -k1,1n -k2,2n -k3,3n |'),
        run("printf '1.9.0\\n1.10.0\\n1.2.3\\n' | sort -t. -k1,1n -k2,2n -k3,3n"),
      ],
    ],
    answer: 'The three parts are compared as numbers (`bin/rollback.sh:10`).',
  },
];
