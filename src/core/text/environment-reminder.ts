// Facts about where Deft runs, sent in the first message so that the system prompt stays the same for everybody.
import { reminder } from './system-reminder';

export interface Environment {
  cwd: string;
  folders: string[];
  platform: string;
  shell: string;
  /** YYYY-MM-DD */
  date: string;
  gitBranch?: string;
}

export function environmentReminder(environment: Environment): string {
  const { cwd, folders, platform, shell, date, gitBranch } = environment;
  const lines = [
    `Working directory: ${cwd}`,
    ...(folders.length === 0
      ? ["No folder is open: files can only be reached by absolute paths, each with the user's permission."]
      : []),
    ...(folders.length > 1 ? [`Workspace folders: ${folders.join(', ')}`] : []),
    `Platform: ${platform}; shell: ${shell}`,
    `Date: ${date}`,
    ...(gitBranch === undefined ? [] : [`Git branch at the start: ${gitBranch}`]),
  ];
  return reminder(lines.join('\n'));
}
