// A request for a short answer outside the conversation: as little thinking as the model allows, and room for what it still does.
import { defined } from '../../shared/defined';
import { type ModelCapabilities } from '../wire/model-capabilities';
import { thinkingOff } from './thinking';
import { type ModelRequest } from '../wire/wire';

/** What models that always think may take before they answer. */
const roomToThink = 4_000;

/** As it is where the job has chosen how to think itself. */
export function quickRequest(request: ModelRequest, can: ModelCapabilities): ModelRequest {
  if (request.thinking !== undefined) return request;
  const { thinking } = thinkingOff(can);
  if (thinking !== undefined && thinking.type !== 'between_tools') return { ...request, thinking };
  if (can.thinking !== 'always' && thinking === undefined) return request;
  const [least] = can.efforts;
  return {
    ...request,
    max_tokens: Math.min(request.max_tokens + roomToThink, can.maxOutputTokens),
    ...defined({ thinking }),
    ...(least === undefined || request.output_config?.effort !== undefined
      ? {}
      : { output_config: { ...request.output_config, effort: least } }),
  };
}
