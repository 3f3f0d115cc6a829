// The environment variables that steer a run, checked.
import { DeftError } from '../core/errors';
import { defaultRetryPolicy, type RetryPolicy } from '../core/model/retry-policy';

export interface RunEnvironment {
  maxOutputTokens: number | undefined;
  retry: RetryPolicy;
  /** Milliseconds until an answer begins. */
  timeoutMs: number | undefined;
  /** Only Bash, Read and Edit. */
  simple: boolean;
}

/** Throws a DeftError that names the variable whose value is not what it has to be. */
export function readRunEnvironment(environment: Readonly<Record<string, string | undefined>>): RunEnvironment {
  const whole = (name: string, least: number): number | undefined => {
    const text = environment[name]?.trim();
    if (text === undefined || text === '') return undefined;
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new DeftError('environment', `${name} takes a whole number from ${least}, not ${JSON.stringify(text)}.`, {
      audience: 'person',
    });
  };
  const retries = whole('CLAUDE_CODE_MAX_RETRIES', 0);
  return {
    maxOutputTokens: whole('CLAUDE_CODE_MAX_OUTPUT_TOKENS', 1),
    retry: retries === undefined ? defaultRetryPolicy : { ...defaultRetryPolicy, maxAttempts: retries + 1 },
    timeoutMs: whole('API_TIMEOUT_MS', 1),
    simple: ['1', 'true', 'yes', 'on'].includes(environment['CLAUDE_CODE_SIMPLE']?.trim().toLowerCase() ?? ''),
  };
}
