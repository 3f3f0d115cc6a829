// Agent, row by row: what the model reads of each outcome, and what is refused.
import { agentTool } from '../../../src/core/tools/agents/agent';
import { scriptedSubagents } from '../../support/scripted-subagents';
import { type ToolRow, toolTable } from '../../support/tool-table';

const task = { description: 'Find it', prompt: 'the thing' };
const session = { subagents: scriptedSubagents() };

describe('Agent, row by row', () => {
  const rows: ToolRow[] = [
    {
      name: 'a report',
      session,
      input: task,
      text: 'Report on the thing.\n\nagentId: a1 (SendMessage to it resumes this agent)\n<usage>total_tokens: 1500\ntool_uses: 2\nduration_ms: 30</usage>',
      detail: '2 tool uses · 2k tokens',
    },
    {
      name: 'a report of another agent',
      session,
      input: { ...task, subagent_type: 'Explore', model: 'haiku', name: 'scout' },
      text: /^Report on the thing\./,
    },
    {
      name: 'one that was stopped',
      session,
      input: { ...task, subagent_type: 'stops' },
      text: /^The agent was stopped before it was done\. Its output so far:\n\nSo far\.\n\nagentId: a1/,
      detail: 'stopped · 2 tool uses · 2k tokens',
    },
    {
      name: 'one in the background',
      session,
      input: { ...task, run_in_background: true },
      text: /^The agent runs in the background\. agentId: a1\..*Its transcript: \/t\/agent-a1\.jsonl$/,
      detail: 'in the background',
    },
    {
      name: 'one that is not there',
      session,
      input: { ...task, subagent_type: 'fails' },
      code: 'unknown-agent',
      text: 'There is no agent "fails".',
    },
    {
      name: 'where none can be started',
      input: task,
      code: 'no-agents',
      text: 'No agents can be started here. Do the task yourself.',
    },
    {
      name: 'no prompt',
      session,
      input: { description: 'Find it' },
      code: 'InputValidationError',
      text: /`prompt`: Required/,
    },
    {
      name: 'an empty prompt',
      session,
      input: { ...task, prompt: '' },
      code: 'InputValidationError',
      text: /`prompt`/,
    },
    {
      name: 'no description',
      session,
      input: { prompt: 'x' },
      code: 'InputValidationError',
      text: /`description`: Required/,
    },
    {
      name: 'a number for a name',
      session,
      input: { ...task, name: 4 },
      code: 'InputValidationError',
      text: /`name`: Expected string, received number/,
    },
  ];
  toolTable(agentTool, rows);
});
