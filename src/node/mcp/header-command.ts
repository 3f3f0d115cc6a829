// Runs the command that prints a remote server's headers as JSON, anew at each connection.
import { runHookCommand } from '../hooks/hook-command';
import { HookProcesses } from '../hooks/hook-processes';
import { isObject } from '../../shared/plain-object';

const helperMs = 10_000;

/** A sentence where it fails. */
export async function helperHeaders(
  command: string,
  {
    server,
    url,
    cwd,
    environment,
  }: { server: string; url: string; cwd: string | undefined; environment: NodeJS.ProcessEnv },
  signal: AbortSignal,
): Promise<Record<string, string> | string> {
  const variables = { CLAUDE_CODE_MCP_SERVER_NAME: server, CLAUDE_CODE_MCP_SERVER_URL: url };
  const limited = AbortSignal.any([signal, AbortSignal.timeout(helperMs)]);
  const result = await runHookCommand(
    { command, cwd: cwd ?? process.cwd(), input: '', variables },
    { environment, processes: new HookProcesses() },
    () => undefined,
    limited,
  );
  if (result.kind === 'cancelled') return `Its headersHelper did not end within ${helperMs / 1000} seconds.`;
  if (result.kind !== 'ended') return `Its headersHelper failed${'message' in result ? `: ${result.message}` : '.'}`;
  if (result.exitCode !== 0)
    return `Its headersHelper ended with exit code ${result.exitCode}: ${result.stderr.trim().slice(0, 500)}`;
  try {
    const headers: unknown = JSON.parse(result.stdout);
    if (isObject(headers) && Object.values(headers).every((value) => typeof value === 'string'))
      return headers as Record<string, string>;
  } catch {
    // Said below.
  }
  return 'Its headersHelper must print one JSON object of texts, such as {"Authorization": "Bearer …"}.';
}
