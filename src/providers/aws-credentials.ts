// Where users keep their AWS credentials: variables, profiles, and what a container or an instance gets. AWS's own library reads them.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../core/text/errors';
import { type CredentialCommands } from '../core/model/credential-commands';
import type { awsSdk } from './aws-sdk';
import { abortable } from '../core/text/abortable';
import { credentialError, inTime } from './fetched-key';
import { type Renew } from './renewed-client';
import { type StartTimer } from './stall-watch';
import { isObject } from '../shared/plain-object';

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  expiration?: Date;
}

export interface AwsCredentialSource {
  /** Throws a ModelError that says what to do. */
  get(): Promise<AwsCredentials>;
  /** The next are fetched anew; where settings name a command that signs in, it runs first. False: there is nothing that could be new. */
  renew: Renew;
  /** What none may see. Grows. */
  readonly secrets: string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Before they end: a long request is signed once, at its start. */
const earlyMs = 300_000;

export function createAwsCredentials(
  variables: Variables,
  region: string,
  commands: CredentialCommands | undefined,
  now: () => number,
  startTimer: StartTimer,
): AwsCredentialSource {
  const secrets: string[] = [];
  let known: AwsCredentials | undefined;
  let asking: Promise<AwsCredentials> | undefined;
  let fresh = false;

  const find = async (): Promise<AwsCredentials> => {
    const found = commands?.awsCredentialExport
      ? await exported(commands.awsCredentialExport, commands)
      : (fromVariables(variables) ?? (await fromChain(variables, region, fresh)));
    for (const secret of [found.secretAccessKey, found.sessionToken])
      if (secret !== undefined && !secrets.includes(secret)) secrets.push(secret);
    known = found;
    return found;
  };

  return {
    async get() {
      if (known !== undefined && (known.expiration === undefined || known.expiration.getTime() - now() > earlyMs))
        return known;
      return (asking ??= inTime(find(), 'AWS', startTimer).finally(() => (asking = undefined)));
    },
    async renew(signal, refused) {
      known = undefined;
      fresh = true;
      if (commands?.awsAuthRefresh) {
        const result = await abortable(commands.run(commands.awsAuthRefresh, signal), signal);
        if ('problem' in result)
          throw credentialError(`awsAuthRefresh could not renew the AWS credentials: ${result.problem}`);
        return true;
      }
      return refused && (fromVariables(variables) === undefined || Boolean(commands?.awsCredentialExport));
    },
    secrets,
  };
}

function fromVariables(variables: Variables): AwsCredentials | undefined {
  const accessKeyId = variables['AWS_ACCESS_KEY_ID']?.trim();
  const secretAccessKey = variables['AWS_SECRET_ACCESS_KEY']?.trim();
  const sessionToken = variables['AWS_SESSION_TOKEN']?.trim();
  return accessKeyId && secretAccessKey
    ? { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
    : undefined;
}

async function exported(command: string, { run }: CredentialCommands): Promise<AwsCredentials> {
  const result = await run(command, new AbortController().signal);
  if ('problem' in result) throw credentialError(`awsCredentialExport gave no AWS credentials: ${result.problem}`);
  const {
    AccessKeyId: accessKeyId,
    SecretAccessKey: secretAccessKey,
    SessionToken: sessionToken,
    Expiration: expiration,
  } = credentialsIn(result.output);
  if (typeof accessKeyId !== 'string' || typeof secretAccessKey !== 'string') {
    throw credentialError(
      'awsCredentialExport printed no credentials: they look like {"Credentials": {"AccessKeyId": "…", "SecretAccessKey": "…", "SessionToken": "…"}}.',
    );
  }
  const ends = new Date(typeof expiration === 'string' ? expiration : Number.NaN);
  // Without a time they are asked for again after an hour, the shortest that AWS gives.
  return {
    accessKeyId,
    secretAccessKey,
    ...(typeof sessionToken === 'string' ? { sessionToken } : {}),
    expiration: Number.isNaN(ends.getTime()) ? new Date(Date.now() + 3_600_000) : ends,
  };
}

function credentialsIn(output: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(output);
    const inner = isObject(parsed) && isObject(parsed['Credentials']) ? parsed['Credentials'] : parsed;
    return isObject(inner) ? inner : {};
  } catch {
    return {};
  }
}

async function fromChain(variables: Variables, region: string, fresh: boolean): Promise<AwsCredentials> {
  const { providerSdks } = await import('./provider-sdks');
  const library = await providerSdks.awsCredentials();
  const files = awsFiles(variables);
  const named = variables['AWS_PROFILE']?.trim() || undefined;
  const profile = named ?? 'default';
  // A client for signing in answers in the region that its profile names; `parentClientConfig` is for where it names none.
  const common = { parentClientConfig: { region }, ignoreCache: fresh, ...files };
  const failures: string[] = [];
  const links: (() => Promise<AwsCredentials>)[] = [
    // fromIni finds these too, but looks for them in the usual files only.
    async () => library.fromSSO({ profile, ...common })(),
    async () => library.fromIni({ profile, ...common })(),
    ...(named === undefined ? machineLinks(library, variables, common) : []),
  ];
  for (const link of links) {
    try {
      return await link();
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  throw credentialError(missing(named, failures));
}

type Aws = typeof awsSdk;

/** What no user keeps: Kubernetes, containers, and the instance itself. */
function machineLinks(
  library: Aws,
  variables: Variables,
  common: { parentClientConfig: { region: string } },
): (() => Promise<AwsCredentials>)[] {
  const links: (() => Promise<AwsCredentials>)[] = [];
  const [tokenFile, roleArn] = [variables['AWS_WEB_IDENTITY_TOKEN_FILE'], variables['AWS_ROLE_ARN']];
  if (tokenFile && roleArn) {
    const session = variables['AWS_ROLE_SESSION_NAME'];
    links.push(async () =>
      library.fromTokenFile({
        webIdentityTokenFile: tokenFile,
        roleArn,
        ...(session ? { roleSessionName: session } : {}),
        ...common,
      })(),
    );
  }
  const [relative, full] = [
    variables['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'],
    variables['AWS_CONTAINER_CREDENTIALS_FULL_URI'],
  ];
  const [token, file] = [
    variables['AWS_CONTAINER_AUTHORIZATION_TOKEN'],
    variables['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'],
  ];
  if (relative || full) {
    links.push(async () =>
      library.fromHttp({
        ...(relative
          ? { awsContainerCredentialsRelativeUri: relative }
          : { awsContainerCredentialsFullUri: full ?? '' }),
        ...(file
          ? { awsContainerAuthorizationTokenFile: file }
          : token
            ? { awsContainerAuthorizationToken: token }
            : {}),
        logger: quiet,
      })(),
    );
  } else if (!/^true$/i.test(variables['AWS_EC2_METADATA_DISABLED'] ?? '')) {
    links.push(async () => library.fromInstanceMetadata({ timeout: 1000, maxRetries: 0, logger: quiet })());
  }
  return links;
}

/** AWS's library writes warnings to the console otherwise. */
const quiet = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

function nothing(): void {}

function missing(profile: string | undefined, failures: readonly string[]): string {
  const sso = failures.find((failure) => /sso session|sso token|token.*expired|aws sso login/i.test(failure));
  const name = profile === undefined ? '' : ` --profile ${profile}`;
  if (sso !== undefined) return `The AWS sign-in has ended. Run "aws sso login${name}", then send the message again.`;
  // The library's message holds the command line and what the command wrote: either may hold a secret.
  if (failures.some((failure) => failure.startsWith('Command failed'))) {
    return `The command of the AWS profile ${JSON.stringify(profile ?? 'default')} (credential_process) failed. Run it in a terminal to see why.`;
  }
  if (profile !== undefined) {
    // The first says that the profile is none of SSO.
    return `The AWS profile ${JSON.stringify(profile)} gives no credentials: ${(failures[1] ?? failures[0] ?? '').replace(/\.?$/, '.')} Check ~/.aws/config, or run "aws configure${name}".`;
  }
  return 'There are no AWS credentials. Run "aws configure sso" or "aws login", or set AWS_PROFILE, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_BEARER_TOKEN_BEDROCK.';
}

/** `AWS_REGION`, `AWS_DEFAULT_REGION`, else that of the profile; undefined where none is named. */
export async function awsRegion(variables: Variables): Promise<string | undefined> {
  const named = variables['AWS_REGION']?.trim() || variables['AWS_DEFAULT_REGION']?.trim();
  if (named) return named;
  const { configFilepath } = awsFiles(variables);
  const text = await readFile(configFilepath, 'utf8').catch(() => '');
  const profile = variables['AWS_PROFILE']?.trim() || 'default';
  let inside = false;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[\s*(?:profile\s+)?["']?(.+?)["']?\s*\]/.exec(line)?.[1];
    if (section !== undefined) inside = section === profile;
    const region = inside ? /^region\s*=\s*([\w-]+)/.exec(line)?.[1] : undefined;
    if (region !== undefined) return region;
  }
  return undefined;
}

function awsFiles(variables: Variables): { filepath: string; configFilepath: string } {
  const folder = path.join(variables['HOME'] || variables['USERPROFILE'] || homedir(), '.aws');
  return {
    filepath: variables['AWS_SHARED_CREDENTIALS_FILE'] || path.join(folder, 'credentials'),
    configFilepath: variables['AWS_CONFIG_FILE'] || path.join(folder, 'config'),
  };
}
