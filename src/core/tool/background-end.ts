// What is reported when a command in the background has ended.
import { type BackgroundCommand } from '../ports/terminal';
import { type CommandEnd } from '../ports/command-end';

export function backgroundEndText({ taskId, command, title, outputPath, end }: BackgroundCommand): string {
  return `Background ${title === undefined ? 'command' : 'call'} ${taskId} (${command}) ${end === undefined ? 'has ended' : endText(end).replace(/\.$/, '')}. Its output is in ${outputPath}.`;
}

export function endText(end: CommandEnd): string {
  switch (end.state) {
    case 'exited':
      return end.code === 0 ? 'has ended without an error' : `has ended with exit code ${end.code}`;
    case 'signalled':
      return `was ended by ${end.signal}`;
    case 'killed':
      return `was ended by ${killers[end.by]}`;
    case 'interrupted':
    case 'closed':
      return 'was ended by the user';
    case 'suspended':
      return 'was suspended by the user';
    case 'background':
      return 'is still running';
    case 'not-started':
      return `was not started: ${end.message}`;
    case 'lost':
      return `has ended, its exit code is unknown: ${end.message}`;
  }
}

const killers: Record<Extract<CommandEnd, { state: 'killed' }>['by'], string> = {
  user: 'the user',
  agent: 'TaskStop',
  timeout: 'the timeout',
  limit: 'the limit for output',
  abort: 'the end of its turn or session',
};
