// Where users keep Google credentials: the file named by GOOGLE_APPLICATION_CREDENTIALS, gcloud's file, or the machine's own.
import { defined } from '../shared/defined';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { messageOf, ModelError } from '../core/text/errors';
import { type CredentialCommands } from '../core/model/credential-commands';
import { abortable } from '../core/text/abortable';
import { credentialError, inTime } from './fetched-key';
import { type Renew } from './renewed-client';
import { type StartTimer } from './stall-watch';

export interface GoogleCredentials {
  /** Throws a ModelError that says what to do. */
  getRequestHeaders(): Promise<Headers>;
  /** Of the credentials, once they were read. */
  projectId: string | undefined;
  /** What is known is dropped; where settings name a command that signs in, it runs first. */
  renew: Renew;
  /** Grows. */
  readonly secrets: string[];
}

type Variables = Readonly<Record<string, string | undefined>>;
interface Account {
  headers(): Promise<Headers>;
  projectId: string | undefined;
}

/** Such a machine answers within milliseconds. */
const lookMs = 2_000;
const scopes = 'https://www.googleapis.com/auth/cloud-platform';

export function createGoogleCredentials(
  variables: Variables,
  commands: CredentialCommands | undefined,
  fetchToken: typeof fetch | undefined,
  startTimer: StartTimer,
): GoogleCredentials {
  const secrets: string[] = [];
  let account: Promise<Account> | undefined;
  const credentials: GoogleCredentials = {
    projectId: undefined,
    secrets,
    async getRequestHeaders() {
      // What failed is tried again at the next request: the user may have signed in meanwhile.
      account ??= readAccount(variables, fetchToken).catch((error: unknown) => {
        account = undefined;
        throw error;
      });
      try {
        const known = account;
        const [made, projectId] = await inTime(
          known.then(async ({ headers, projectId }) => [await headers(), projectId] as const),
          'Google',
          startTimer,
        );
        credentials.projectId = projectId;
        const token = made.get('authorization')?.replace(/^Bearer /, '');
        if (token !== undefined && !secrets.includes(token)) secrets.push(token);
        return made;
      } catch (error) {
        account = undefined;
        if (error instanceof ModelError) throw error;
        throw credentialError(missing(error, variables));
      }
    },
    async renew(signal, refused) {
      account = undefined;
      if (!commands?.gcpAuthRefresh) return refused;
      const result = await abortable(commands.run(commands.gcpAuthRefresh, signal), signal);
      if ('problem' in result)
        throw credentialError(`gcpAuthRefresh could not renew the Google credentials: ${result.problem}`);
      return true;
    },
  };
  return credentials;
}

async function readAccount(variables: Variables, fetchToken: typeof fetch | undefined): Promise<Account> {
  const { providerSdks } = await import('./provider-sdks');
  const GoogleAuth = await providerSdks.googleAuth();
  const json = await readJson(variables);
  const clientOptions = { transporterOptions: { fetchImplementation: fetchToken ?? fetch } };
  // Without a file the machine itself is asked, at the address that Google's machines know.
  const auth = new GoogleAuth({ scopes, clientOptions, ...defined({ credentials: json }) });
  auth._checkIsGCE = () => isGoogleMachine(variables);
  const client = await auth.getClient();
  const configured = json?.['project_id'] ?? json?.['quota_project_id'];
  const projectId =
    typeof configured === 'string'
      ? configured
      : json === undefined
        ? await auth.getProjectId().catch(() => undefined)
        : undefined;
  return { headers: () => client.getRequestHeaders(), projectId };
}

/** The library's own look warns on standard error where anything but Google answers. */
async function isGoogleMachine(variables: Variables): Promise<boolean> {
  if (variables['METADATA_SERVER_DETECTION']?.trim() === 'none') return false;
  const host = variables['GCE_METADATA_IP'] || variables['GCE_METADATA_HOST'] || '169.254.169.254';
  try {
    const answer = await fetch(`http://${host}/computeMetadata/v1/instance`, {
      headers: { 'metadata-flavor': 'Google' },
      signal: AbortSignal.timeout(lookMs),
    });
    await answer.body?.cancel();
    return answer.headers.get('metadata-flavor') === 'Google';
  } catch {
    return false;
  }
}

async function readJson(variables: Variables): Promise<Record<string, unknown> | undefined> {
  const named = variables['GOOGLE_APPLICATION_CREDENTIALS']?.trim();
  const file = named || usualFile(variables);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (named)
      throw credentialError(
        `GOOGLE_APPLICATION_CREDENTIALS names a file that ${isMissing(error) ? 'does not exist' : 'cannot be read'}: ${named}. Correct it, or remove it and run "gcloud auth application-default login".`,
      );
    return undefined;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // The parser's message would show what is in it.
    throw credentialError(
      `The Google credentials in ${file} cannot be read: the file is not JSON. ${named ? 'Name another one in GOOGLE_APPLICATION_CREDENTIALS' : 'Run "gcloud auth application-default login"'}, then send the message again.`,
    );
  }
}

/** Where `gcloud auth application-default login` writes. */
function usualFile(variables: Variables): string {
  const home = variables['HOME'] || variables['USERPROFILE'] || homedir();
  const folder =
    variables['CLOUDSDK_CONFIG'] ||
    (process.platform === 'win32'
      ? path.join(variables['APPDATA'] ?? home, 'gcloud')
      : path.join(home, '.config', 'gcloud'));
  return path.join(folder, 'application_default_credentials.json');
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function missing(error: unknown, variables: Variables): string {
  const said = messageOf(error);
  const advice = 'Run "gcloud auth application-default login", then send the message again';
  if (/invalid_grant|invalid_rapt|reauth|expired/i.test(said)) return `The Google sign-in has ended. ${advice}.`;
  if (variables['GOOGLE_APPLICATION_CREDENTIALS'])
    return `The Google credentials of GOOGLE_APPLICATION_CREDENTIALS gave no token: ${said.replace(/\.?$/, '.')}`;
  if (/Could not load the default credentials|metadata/i.test(said))
    return `There are no Google credentials. ${advice}, or set GOOGLE_APPLICATION_CREDENTIALS to a key file.`;
  return `The Google credentials gave no token: ${said.replace(/\.?$/, '.')} ${advice}.`;
}
