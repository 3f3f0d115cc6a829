// "/share" of both hosts: a copy of the session in Claude Code's folder, and what the user reads about it.
import { randomUUID } from 'node:crypto';
import { type AgentSession } from '../../core/feature/agent-session';
import { claudeCodeLines } from '../../core/external-sessions/claude-code-lines';
import { givenTitle } from '../../core/sessions/given-title';
import { findRepository } from '../repository';
import { type SharedFile, writeForClaudeCode } from './share-session';

/** What came of it. `cwd`: the other program looks for sessions by their folder. */
export async function shareSession(
  { records, choices, settings }: Pick<AgentSession, 'records' | 'choices' | 'settings'>,
  { home, cwd, environment }: Pick<SharedFile, 'home' | 'cwd' | 'environment'>,
): Promise<string> {
  const id = randomUUID();
  const lines = claudeCodeLines(records, {
    ...{ id, cwd, version: settings.version, model: choices.model, title: givenTitle(records) ?? '' },
    gitBranch: (await findRepository(cwd))?.branch,
    ...{ now: Date.now(), uuid: randomUUID, secrets: settings.secrets?.() ?? [] },
  });
  const written = await writeForClaudeCode({ home, environment, cwd, id, lines });
  return 'problem' in written
    ? `The session was not shared. ${written.problem}`
    : `A copy of the session is in ${written.file}. Continue it with: claude --resume ${id}`;
}
