// Commands that every run carries out itself: what fills the window, what was used, another model, the first memory file, prompts of MCP servers.
import { initInput } from '../core/memory/init-prompt';
import { mcpCommands, mcpPromptText } from '../core/mcp/mcp-prompts';
import { refusedModel } from '../core/model/available-models';
import { resolveModelName } from '../core/model/model-name';
import { modelLabel } from '../core/model/models';
import { type PromptInput } from '../core/prompt/compose-prompt';
import { contextReport } from '../core/usage/context-report';
import { usageReport } from '../core/usage/usage-report';
import { contextText, usageText } from '../shared/usage-view';
import { shareSession } from '../node/sessions/shared-copy';
import { type OpenRun } from './open-run';

export interface OfferedCommand {
  name: string;
  description: string;
  argumentHint: string;
}

/** What it answers in place of the model, or the prompt that is sent. */
type Done = { answer: string } | { prompt: PromptInput };
type RunCommand = OfferedCommand & { run(run: OpenRun, rest: string): Done | Promise<Done> };

const patienceMs = 60_000;

const commands: readonly RunCommand[] = [
  {
    name: 'context',
    description: "Shows what fills the model's window, estimated.",
    argumentHint: '',
    async run({ session }) {
      const { request, compactsAt } = await session.requests.upcoming();
      return {
        answer: contextText(contextReport(request, session.records, { model: session.ports.model, compactsAt })),
      };
    },
  },
  {
    name: 'cost',
    description: 'Shows what this session has used.',
    argumentHint: '',
    run: ({ session }) => ({ answer: usageText(usageReport(session.records)) }),
  },
  { name: 'model', description: 'Shows the model, or picks another one.', argumentHint: '[model]', run: pickModel },
  {
    name: 'share',
    description: 'Copies this session into the folder of Claude Code, where it can be continued.',
    argumentHint: '',
    async run({ session, basis }) {
      if (basis.options.unsaved) return { answer: 'Nothing of this session is to stay on disk, so it was not shared.' };
      const { home, environment, cwd, host } = basis;
      // A worktree may go: its sessions are those of the folder that it is a copy of.
      return { answer: await shareSession(session, { home, environment, folder: host.sessionsOf ?? cwd }) };
    },
  },
  {
    name: 'init',
    description: 'Writes a CLAUDE.md for this project.',
    argumentHint: '[what to include]',
    async run({ session, basis }, more) {
      return { prompt: { ...(await initInput(basis.where.cwd, session.ports.files, more)), images: [] } };
    },
  },
];

export function runCommandsOf({ connections }: OpenRun): OfferedCommand[] {
  const own = commands.map(({ name, description, argumentHint }) => ({ name, description, argumentHint }));
  return [...own, ...(connections.mcp === undefined ? [] : mcpCommands(connections.mcp))];
}

/** Undefined where the message is none of them. */
export async function runCommand(
  run: OpenRun,
  { name, rest, text }: { name: string; rest: string; text: string },
): Promise<Done | undefined> {
  const { mcp } = run.connections;
  if (mcp !== undefined && name.startsWith('mcp__')) {
    const prompt = await mcpPromptText(text, mcp, AbortSignal.timeout(patienceMs)).catch(() => undefined);
    if (prompt?.outcome === 'text')
      // What the server wrote mentions nothing: only a user's mention attaches a file.
      return { prompt: { text: prompt.text, shownAs: text, mentionsIn: '', images: [] } };
    return { answer: prompt?.message ?? 'The MCP server did not answer within a minute.' };
  }
  return commands.find((one) => one.name === name)?.run(run, rest);
}

function pickModel({ session, basis }: OpenRun, named: string): Done {
  const { settings, environment, options } = basis;
  if (named === '') return { answer: `The model is ${modelLabel(session.choices.model)}.` };
  if (options.demo) return { answer: 'The demo has one model only.' };
  const model = resolveModelName(named, environment);
  const refused = refusedModel(model, settings.values.availableModels, environment);
  if (refused !== undefined) return { answer: refused };
  session.choices.setModel(model);
  return { answer: `The model is ${modelLabel(model)} from now on.` };
}
