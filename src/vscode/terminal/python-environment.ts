// The virtual environment that the user chose in the Python extension, as variables that activate it.
import path from 'node:path';
import { z } from 'zod/v3';

/** The part of the Python extension's public API that is needed here. */
export interface PythonEnvironments {
  getActiveEnvironmentPath(resource?: unknown): unknown;
  resolveEnvironment(environment: unknown): Promise<unknown>;
}

const uri = z.object({ fsPath: z.string() });
const resolvedSchema = z.object({
  executable: z.object({ uri: uri.optional() }),
  /** Absent for an interpreter of the system. */
  environment: z.object({ type: z.string(), folderUri: uri.optional() }).optional(),
});

/** True for what the extension exports, whatever its version. */
export function hasEnvironments(exported: unknown): exported is { environments: PythonEnvironments } {
  const environments =
    typeof exported === 'object' && exported !== null && 'environments' in exported ? exported.environments : undefined;
  return (
    typeof environments === 'object' &&
    environments !== null &&
    'getActiveEnvironmentPath' in environments &&
    typeof environments.getActiveEnvironmentPath === 'function' &&
    'resolveEnvironment' in environments &&
    typeof environments.resolveEnvironment === 'function'
  );
}

/** Empty where the system's own interpreter is chosen, or the extension answers otherwise than documented. */
export async function pythonVariables(
  environments: PythonEnvironments,
  folder: unknown,
  searchPath: string,
): Promise<Record<string, string>> {
  const answer = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
  const parsed = resolvedSchema.safeParse(answer);
  if (!parsed.success) return {};
  const { executable, environment } = parsed.data;
  if (!environment?.folderUri || !executable.uri) return {};
  const variable = environment.type === 'Conda' ? 'CONDA_PREFIX' : 'VIRTUAL_ENV';
  return {
    [variable]: environment.folderUri.fsPath,
    PATH: [path.dirname(executable.uri.fsPath), searchPath].filter((part) => part !== '').join(path.delimiter),
  };
}
