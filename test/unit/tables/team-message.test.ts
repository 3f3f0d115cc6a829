// SendMessage in a team, row by row: to members, to all, to agents as ever, and the words of a shutdown.
import assert from 'node:assert/strict';
import { teamMessageTool } from '../../../src/core/tools/teams/team-message';
import { scriptedSubagents } from '../../support/scripted-subagents';
import { scriptedTeam } from '../../support/scripted-team';
import { type ToolRow, toolTable } from '../../support/tool-table';

const team = scriptedTeam();
const session = { team, subagents: scriptedSubagents() };
const last = (): unknown => team.sent.at(-1);

describe('SendMessage in a team, row by row', () => {
  const rows: ToolRow[] = [
    {
      name: 'to one that is idle',
      session,
      input: { to: 'finder', message: 'On.', summary: 'Go on' },
      text: 'Sent to finder. Woken by it: finder.',
      detail: 'woken',
      check: () => assert.deepEqual(last(), { to: 'finder', text: 'On.', summary: 'Go on', kind: 'message' }),
    },
    {
      name: 'to one that has ended',
      session,
      input: { to: 'ended', message: 'On.' },
      text: 'Sent to ended. It had ended and resumes with the message.',
    },
    { name: 'to all', session, input: { to: '*', message: 'On.' }, text: 'Sent to finder, ended.', detail: '' },
    {
      name: 'to oneself',
      session,
      input: { to: 'lead', message: 'On.' },
      code: 'to-yourself',
      text: 'You are the lead.',
    },
    {
      name: 'to an agent that is no teammate',
      session,
      input: { to: 'scout', message: 'On.' },
      text: 'Agent a1 (Explore) gets the message with its next results.',
    },
    {
      name: 'to nobody',
      session,
      input: { to: 'x', message: 'On.' },
      code: 'unknown-agent',
      text: 'There is no agent "x" in this session.',
    },
    {
      name: 'a request to end',
      session,
      input: { to: 'finder', message: { type: 'shutdown_request', reason: 'All done.' } },
      text: /^Sent to finder/,
      check: () =>
        assert.deepEqual(last(), {
          to: 'finder',
          text: 'Please end. All done.',
          summary: undefined,
          kind: 'shutdown_request',
        }),
    },
    {
      name: 'a request to an agent that is no teammate',
      session,
      input: { to: 'scout', message: { type: 'shutdown_request' } },
      code: 'no-teammate',
      text: 'scout is not a teammate in a team of yours. Use TaskStop to stop an agent.',
    },
    {
      name: 'an answer without a yes is a no',
      session,
      input: { to: 'finder', message: { type: 'shutdown_response' } },
      text: /^Sent to finder/,
      check: () =>
        assert.deepEqual(last(), {
          to: 'finder',
          text: 'I am not done yet.',
          summary: undefined,
          kind: 'shutdown_response',
          approve: false,
        }),
    },
    {
      name: 'a kind that is none',
      session,
      input: { to: 'finder', message: { type: 'obey' } },
      code: 'InputValidationError',
      text: /`message/,
    },
    {
      name: 'without words',
      session,
      input: { to: 'finder', message: '' },
      code: 'InputValidationError',
      text: /`message`/,
    },
    {
      name: 'outside of any team',
      session: { subagents: scriptedSubagents() },
      input: { to: 'scout', message: 'On.' },
      text: /^Agent a1 \(Explore\) gets/,
    },
  ];
  toolTable(teamMessageTool, rows);
});
