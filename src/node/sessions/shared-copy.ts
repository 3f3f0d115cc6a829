// "/share" of both hosts: a copy of the session in Claude Code's folder, and what the user reads about it.
import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { type AgentSession } from '../../core/feature/agent-session';
import { claudeCodeLines } from '../../core/external-sessions/claude-code-lines';
import { givenTitle } from '../../core/sessions/given-title';
import { findRepository } from '../repository';
import { type SharedFile, writeForClaudeCode } from './share-session';

/** What came of it. `folder`: the other program looks for sessions by theirs, links resolved. */
export async function shareSession(
  { records, choices, settings }: Pick<AgentSession, 'records' | 'choices' | 'settings'>,
  { home, folder, environment }: Pick<SharedFile, 'home' | 'environment'> & { folder: string },
): Promise<string> {
  const cwd = await realpath(folder).catch(() => folder);
  const id = randomUUID();
  const lines = claudeCodeLines(records, {
    ...{ id, cwd, version: settings.version, model: choices.model, title: givenTitle(records) ?? '' },
    gitBranch: (await findRepository(cwd))?.branch,
    ...{ now: Date.now(), uuid: randomUUID, secrets: settings.secrets?.() ?? [] },
  });
  const written = await writeForClaudeCode({ home, environment, cwd, id, lines });
  return 'problem' in written
    ? `The session was not shared. ${written.problem}`
    : `A copy of the session is in ${written.file}. Continue it in ${cwd} with: claude --resume ${id}`;
}
