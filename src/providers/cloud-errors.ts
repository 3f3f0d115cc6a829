// What clouds say when a request fails, as a sentence that says what to do. model-error.ts describes what is not known here.
import { defined } from '../shared/defined';
import { ModelError, type ModelErrorDetails, type ModelErrorKind } from '../core/text/errors';
import { shortened } from '../shared/cut-text';
import { withSaid } from './error-sentences';
import { type ErrorContext, modelError } from './model-error';
import { isObject } from '../shared/plain-object';

/** Undefined: nothing here knows this error. */
export type Explain = (error: unknown, context: ErrorContext) => ModelError | undefined;

/** What a cloud's answer says of a failure. */
interface CloudFailure {
  /** Undefined for an error in the middle of a stream. */
  status: number | undefined;
  /** The cloud's word for it, in small letters, without "exception". */
  type: string;
  message: string;
  headers: Headers | undefined;
}

interface Explanation {
  kind: ModelErrorKind;
  /** Without what the cloud said, which goes behind it. */
  sentence: string;
  /** What to do where trying again does not help: goes behind that. */
  next?: string;
  retryable?: boolean;
}

/** What Deft's own part of a sign-in threw comes wrapped in the SDK's errors. */
export const explainOwn: Explain = (error) => ownError(error);

export interface AwsPlace {
  region: string;
  /** As users name it, where they did. */
  profile: string | undefined;
}

export function explainBedrock({ region, profile }: AwsPlace): Explain {
  return explaining(
    'x-amzn-requestid',
    (failure) =>
      bedrockRefusal(failure, { region, profile }) ??
      bedrockOverload(failure) ??
      bedrockRequestProblem(failure, region),
  );
}

/** Credentials, and what they may do. */
function bedrockRefusal(
  { status, type, message }: CloudFailure,
  { region, profile }: AwsPlace,
): Explanation | undefined {
  const signIn = `Run "aws sso login${profile === undefined ? '' : ` --profile ${profile}`}" (or renew them the way you got them), then send the message again`;
  if (/expiredtoken/.test(type) || /security token.*expired|signature expired|token has expired/i.test(message))
    return { kind: 'authentication', sentence: `The AWS credentials have expired. ${signIn}` };
  if (
    /unrecognizedclient|invalidsignature|signaturedoesnotmatch|incompletesignature|missingauthenticationtoken|invalidclienttokenid/.test(
      type,
    ) ||
    status === 401
  )
    return {
      kind: 'authentication',
      sentence: `AWS does not accept the credentials. Check AWS_ACCESS_KEY_ID and the related variables, AWS_PROFILE or AWS_BEARER_TOKEN_BEDROCK, and this machine's clock. ${signIn}`,
    };
  if (/accessdenied/.test(type) || status === 403)
    return /access to the model|model access|use case|marketplace/i.test(message)
      ? {
          kind: 'permission',
          sentence: `This AWS account may not use the model in ${region}. Ask for access to it in the Bedrock console, or choose another model`,
        }
      : {
          kind: 'permission',
          sentence: `AWS does not allow this. The credentials need bedrock:InvokeModel and bedrock:InvokeModelWithResponseStream for the model and its inference profile in ${region}`,
        };
  return undefined;
}

/** Limits, and failures that pass. */
function bedrockOverload({ status, type, message }: CloudFailure): Explanation | undefined {
  if (/throttling|toomanyrequests/.test(type) || (status === 429 && !/modelnotready/.test(type)))
    return /per day/i.test(message)
      ? { kind: 'spend_limit', sentence: 'The daily token quota of the AWS account is used up' }
      : {
          kind: 'rate_limit',
          sentence: 'This account sends more requests than Bedrock accepts',
          next: 'Wait a while, or ask AWS for a larger quota.',
          retryable: true,
        };
  if (/servicequotaexceeded/.test(type))
    return { kind: 'spend_limit', sentence: 'A quota of the AWS account is used up. Ask AWS for a larger one' };
  if (/modelnotready|serviceunavailable/.test(type) || status === 503)
    return { kind: 'overloaded', sentence: 'The model is not ready at Bedrock', retryable: true };
  if (/modeltimeout/.test(type) || status === 408)
    return { kind: 'timeout', sentence: 'The model took too long to answer', retryable: true };
  if (/internalserver|modelstreamerror|modelerror/.test(type))
    return { kind: 'server', sentence: 'Bedrock failed', retryable: true };
  return undefined;
}

/** What was asked for is not there, or not as it has to be. */
function bedrockRequestProblem({ status, type, message }: CloudFailure, region: string): Explanation | undefined {
  if (/on-demand throughput/i.test(message))
    return {
      kind: 'not_found',
      sentence:
        'Bedrock serves this model through an inference profile only. Choose its name with a prefix (us., eu., jp., au. or global.)',
    };
  if (/resourcenotfound/.test(type) || status === 404 || /model identifier is invalid|invalid model/i.test(message))
    return {
      kind: 'not_found',
      sentence: `Bedrock has no such model in ${region}. Check AWS_REGION and the name of the model`,
    };
  if (isTooLong(message)) return { kind: 'too_large', sentence: 'The request is too large for the model' };
  if (/validation/.test(type) || status === 400)
    return { kind: 'invalid_request', sentence: 'Bedrock refused the request' };
  return undefined;
}

export function explainVertex(place: { region: string; project: () => string | undefined }): Explain {
  return explaining('x-request-id', ({ status, type, message }) => {
    const project = place.project() ?? 'the project';
    if (/No projectId was given/.test(message))
      return { kind: 'authentication', sentence: 'Vertex AI needs a project. Set ANTHROPIC_VERTEX_PROJECT_ID' };
    if (status === 401 || type === 'unauthenticated')
      return {
        kind: 'authentication',
        sentence:
          'Google does not accept the credentials. Run "gcloud auth application-default login", then send the message again',
      };
    if (status === 403 || type === 'permission_denied')
      return /has not been used|is disabled|SERVICE_DISABLED/i.test(message)
        ? {
            kind: 'permission',
            sentence: `The Vertex AI API is not switched on for ${project}. Switch it on in the Google Cloud console (aiplatform.googleapis.com)`,
          }
        : {
            kind: 'permission',
            sentence: `Google does not allow this in ${project}. The account needs the role Vertex AI User (roles/aiplatform.user), and the model must be enabled`,
          };
    if (status === 404 || type === 'not_found')
      return {
        kind: 'not_found',
        sentence: `Vertex AI has no such model for ${project} in ${place.region}. Enable it in the Model Garden, or set CLOUD_ML_REGION to a region that has it`,
      };
    if (status === 429 || type === 'resource_exhausted')
      return {
        kind: 'rate_limit',
        sentence: 'The quota of the project on Vertex AI is used up for now',
        next: 'Wait a while, or ask Google for a larger one.',
        retryable: true,
      };
    if (status === 503 || type === 'unavailable')
      return { kind: 'overloaded', sentence: 'The model is overloaded at Vertex AI', retryable: true };
    if (status === 400 && isTooLong(message))
      return { kind: 'too_large', sentence: 'The request is too large for the model' };
    if (status === 400 && type !== 'invalid_request_error')
      return { kind: 'invalid_request', sentence: 'Vertex AI refused the request' };
    return undefined;
  });
}

export function explainFoundry(signIn: string): Explain {
  return explaining('apim-request-id', ({ status, type }) => {
    if (status === 401)
      return { kind: 'authentication', sentence: `Foundry does not accept the credentials. ${signIn}` };
    if (status === 403)
      return {
        kind: 'permission',
        sentence:
          'Foundry does not allow this. The account needs the role Cognitive Services User on the resource, and the resource must accept requests from your network',
      };
    if (status === 404)
      return {
        kind: 'not_found',
        sentence:
          'The Foundry resource has no deployment of that name. Choose the name of a deployment as the model, and check ANTHROPIC_FOUNDRY_RESOURCE',
      };
    if (status === 429)
      return {
        kind: 'rate_limit',
        sentence: 'The limit of the deployment is reached',
        next: 'Wait a while, or raise its limit in the Foundry portal.',
        retryable: true,
      };
    if (status === 400 && type === 'deploymentnotfound')
      return { kind: 'not_found', sentence: 'The Foundry resource has no deployment of that name' };
    return undefined;
  });
}

function explaining(idHeader: string, explain: (failure: CloudFailure) => Explanation | undefined): Explain {
  return (error, context) => {
    const own = ownError(error);
    if (own !== undefined) return own;
    const failure = failureOf(error);
    const explanation = failure && explain(failure);
    if (failure === undefined || explanation === undefined) return undefined;
    const { status, headers } = failure;
    const retryAfterMs = waitOf(headers);
    const requestId = headers?.get(idHeader) ?? headers?.get('request-id') ?? undefined;
    const details: ModelErrorDetails = {
      kind: explanation.kind,
      ...defined({ status, retryAfterMs, requestId }),
    };
    const said = shortened(failure.message.replace(/\s+/g, ' ').trim(), 300);
    const { sentence, next = '' } = explanation;
    return modelError(
      `${withSaid(sentence, said === '' ? undefined : said)} ${next}`.trimEnd(),
      details,
      explanation.retryable ?? false,
      context,
      { cause: error, next },
    );
  };
}

function ownError(error: unknown): ModelError | undefined {
  let link = error;
  for (let depth = 0; depth < 5 && link instanceof Error; depth++) {
    if (link instanceof ModelError) return link;
    link = link.cause;
  }
  return undefined;
}

function failureOf(error: unknown): CloudFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, headers, error: body } = error as Error & Record<string, unknown>;
  const known = headers instanceof Headers ? headers : undefined;
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const outer = isObject(first) ? first : {};
  const inner = isObject(outer['error']) ? outer['error'] : outer;
  const text = [inner['message'], inner['Message'], outer['message']].find((value) => typeof value === 'string');
  if (typeof status !== 'number' && Object.keys(outer).length === 0)
    return /No projectId was given/.test(error.message)
      ? { status: undefined, type: '', message: error.message, headers: known }
      : undefined;
  const type = [known?.get('x-amzn-errortype'), inner['status'], inner['__type'], inner['type'], inner['code']].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return {
    status: typeof status === 'number' ? status : undefined,
    type: String(type ?? '')
      .replace(/^.*#|:.*$/g, '')
      .toLowerCase()
      .replace(/exception$/, ''),
    message: typeof text === 'string' ? text : '',
    headers: known,
  };
}

function waitOf(headers: Headers | undefined): number | undefined {
  const seconds = Number.parseFloat(headers?.get('retry-after') ?? '');
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  return Number.isFinite(milliseconds)
    ? Math.max(0, milliseconds)
    : Number.isFinite(seconds)
      ? Math.max(0, seconds * 1000)
      : undefined;
}

function isTooLong(message: string): boolean {
  return /(prompt|input) is too long|input length and `max_tokens` exceed|too many (input )?tokens/i.test(message);
}
