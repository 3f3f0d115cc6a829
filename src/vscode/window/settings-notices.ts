// The notices of settings files: what is wrong in each, and what a project would allow if the user agreed.
import { type Grant, shortGrant } from '../../core/settings/grant-text';
import { type SettingsProblem } from '../../core/settings/settings-file';
import { type NoticeItem } from '../../shared/chat';

const shown = 5;
const shownGrants = 4;

/** One a file, one for all variables, and one for all grants. */
export function settingsNotices(
  problems: readonly SettingsProblem[],
  grants: readonly Grant[],
  variables: readonly string[] = [],
): NoticeItem[] {
  const files = [...new Set(problems.map(({ file }) => file))];
  const notices = files.flatMap((file) => fileNotice(problems.filter((problem) => problem.file === file)) ?? []);
  return [
    ...notices,
    ...(variables.length === 0 ? [] : [variablesNotice(variables)]),
    ...(grants.length === 0 ? [] : [grantsNotice(grants)]),
  ];
}

/** Named first and opened: what breaks the file, else what comes first in it. */
function fileNotice(problems: readonly SettingsProblem[]): NoticeItem | undefined {
  const first = problems.find(({ broken }) => broken) ?? problems[0];
  if (first === undefined) return undefined;
  const { file, line, column, broken } = first;
  const others = problems.filter((problem) => problem !== first).slice(0, shown - 1);
  const lines = [first, ...others].map(
    (problem) => `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`,
  );
  const more = problems.length - lines.length;
  return {
    kind: 'notice',
    id: `settings:${file}`,
    level: broken ? 'error' : 'warning',
    title: broken ? 'A settings file cannot be read.' : 'A settings file has something that is ignored.',
    detail: [
      ...lines,
      ...(more > 0 ? [`${more} more.`] : []),
      ...(broken ? ['Until it is fixed, Deft asks before it writes or runs anything.'] : []),
    ].join('\n'),
    action: { label: `Open line ${line}`, open: { path: file, line, column } },
  };
}

function variablesNotice(problems: readonly string[]): NoticeItem {
  return {
    kind: 'notice',
    id: 'settings:variables',
    level: 'warning',
    title: 'A variable has a value that is ignored.',
    detail: [
      ...problems,
      'It is set under `env` in a settings file, or in the environment in which VS Code was started.',
    ].join('\n'),
  };
}

function grantsNotice(grants: readonly Grant[]): NoticeItem {
  const lines = grants.slice(0, shownGrants).map(shortGrant);
  const more = grants.length - shownGrants;
  return {
    kind: 'notice',
    id: 'settings:grants',
    level: 'info',
    title: "This project's settings would allow more.",
    detail: `Not in force until you agree: ${lines.join(' · ')}${more > 0 ? ` · ${more} more` : ''}`,
    action: { label: 'Review', command: 'reviewProjectSettings' },
  };
}
