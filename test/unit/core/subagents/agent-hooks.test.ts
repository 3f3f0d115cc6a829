// Hooks around agents: their beginning and end, who made a call, and how long a hook may keep one at work.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createNodeHookHandlers } from '../../../../src/node/hooks/node-hook-handlers';
import { createSystemClock } from '../../../../src/node/system-clock';
import {
  type AgentHarness,
  type AgentHarnessOptions,
  createAgentHarness,
  definition,
} from '../../../support/agent-harness';
import { commandHook } from '../../../support/hooks';
import { reply, toolUse } from '../../../support/messages-api/script';

describe('hooks around agents', () => {
  let folder: string;
  let log: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'deft-test-'));
    log = path.join(folder, 'log');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const keep = 'cat >>"$LOG"; echo >>"$LOG"';
  const logged = async (): Promise<Record<string, unknown>[]> =>
    (await readFile(log, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const start = (options: Omit<AgentHarnessOptions, 'main'>): AgentHarness =>
    createAgentHarness({
      main: [
        reply(toolUse('Agent', { description: 'Find it', prompt: 'Find the thing', subagent_type: 'own' }, 'a1')),
        reply('Done.'),
      ],
      definitions: [definition('own')],
      ...options,
      ports: {
        hooks: createNodeHookHandlers({ environment: async () => ({ ...process.env, LOG: log }) }),
        clock: createSystemClock(),
      },
      session: {
        environment: { cwd: folder, folders: [folder], platform: 'linux', shell: 'bash', date: '2026-11-21' },
        hooks: () => judged,
      },
    });
  let judged: { active: ReturnType<typeof commandHook>[] } = { active: [] };

  it('begin and end with events of their own, and name the agent inside', async () => {
    const context = `echo '{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"Mind the gap."}}'`;
    judged = {
      active: [
        commandHook('SubagentStart', `${keep}; ${context}`),
        commandHook('SubagentStop', keep),
        commandHook('Stop', keep),
        commandHook('PreToolUse', keep),
        commandHook('UserPromptSubmit', keep),
        commandHook('SessionEnd', keep),
      ],
    };
    const harness = start({ agents: { 'Find the thing': [reply(toolUse('Read', {}, 'r1')), reply('Found.')] } });
    await harness.run('Go');
    const events = await logged();
    const [id] = harness.agentIds();
    assert.deepEqual(
      events.map(({ hook_event_name: event, agent_type: type, tool_name: tool }) =>
        [event, type, tool].filter((part) => part !== undefined).join(' '),
      ),
      ['UserPromptSubmit', 'PreToolUse Agent', 'SubagentStart own', 'PreToolUse own Read', 'SubagentStop own', 'Stop'],
    );
    const end = events.find(({ hook_event_name: event }) => event === 'SubagentStop');
    assert.deepEqual(
      [
        end?.['agent_id'],
        end?.['session_id'],
        end?.['transcript_path'],
        end?.['last_assistant_message'],
        end?.['stop_hook_active'],
      ],
      [id, 'session-1', '/sessions/session-1.jsonl', 'Found.', false],
    );
    assert.equal(end?.['agent_transcript_path'], `/sessions/session-1/subagents/agent-${id}.jsonl`);
    assert.match(JSON.stringify(harness.model.requests[1]?.messages), /Mind the gap\./);
    assert.doesNotMatch(JSON.stringify(harness.model.requests.at(-1)?.messages), /Mind the gap\./);
  });

  it('keep an agent at work, eight times at most, also where its own file brings them', async () => {
    judged = { active: [] };
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'echo "More." >&2; exit 2' }] }] };
    const harness = start({
      definitions: [definition('own', { hooks })],
      agents: { 'Find the thing': Array.from({ length: 9 }, (_, at) => reply(`Found ${at}.`)) },
    });
    await harness.run('Go');
    assert.deepEqual(harness.model.violations, []);
    assert.equal(
      harness.model.requests.filter(({ system }) => system[0]?.text.startsWith('You are own.') === true).length,
      9,
    );
    assert.match(JSON.stringify(harness.model.requests.at(-1)?.messages), /Found 8\./);
  });
});
