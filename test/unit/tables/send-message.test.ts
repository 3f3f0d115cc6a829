// SendMessage, row by row: to agents that run, to those that have ended, to nobody.
import { sendMessageTool } from '../../../src/core/tools/agents/send-message';
import { scriptedSubagents } from '../../support/scripted-subagents';
import { type ToolRow, toolTable } from '../../support/tool-table';

const session = { subagents: scriptedSubagents() };

describe('SendMessage, row by row', () => {
  const rows: ToolRow[] = [
    {
      name: 'to one that runs',
      session,
      input: { to: 'scout', message: 'Quickly.' },
      text: 'Agent a1 (Explore) gets the message with its next results.',
    },
    {
      name: 'to one that has ended',
      session,
      input: { to: 'a1', message: 'And?', summary: 'Asks more' },
      text: 'Agent a1 (Explore) had ended and resumes with the message, in the background. You are notified when it is done.',
      detail: 'in the background',
    },
    {
      name: 'to nobody',
      session,
      input: { to: 'x', message: 'And?' },
      code: 'unknown-agent',
      text: 'There is no agent "x" in this session.',
    },
    {
      name: 'where there are none',
      input: { to: 'x', message: 'And?' },
      code: 'no-agents',
      text: 'There are no agents here.',
    },
    {
      name: 'without words',
      session,
      input: { to: 'x', message: '' },
      code: 'InputValidationError',
      text: /`message`/,
    },
    {
      name: 'without a receiver',
      session,
      input: { message: 'x' },
      code: 'InputValidationError',
      text: /`to`: Required/,
    },
    {
      name: 'a summary that is too long',
      session,
      input: { to: 'x', message: 'x', summary: 'y'.repeat(201) },
      code: 'InputValidationError',
      text: /`summary`/,
    },
  ];
  toolTable(sendMessageTool, rows);
});
