// One entry of GET /v1/models as core knows it. Gateways leave most of it out, and some send other things under these names.
import { type ReportedCapabilities } from '../core/wire/model-capabilities';
import { efforts } from '../core/wire/wire';
import { type ModelInfo } from '../core/ports/model';

/** Undefined for one that is retired: the list keeps it as history. */
export function modelInfo(entry: unknown): ModelInfo | undefined {
  if (objectOf(entry)['lifecycle'] === 'retired') return undefined;
  const {
    id,
    display_name: name,
    max_input_tokens: window,
    max_tokens: output,
    capabilities,
    lifecycle,
    retires_at: retires,
  } = objectOf(entry);
  const reported = {
    ...positive('contextWindow', window),
    ...positive('maxOutputTokens', output),
    ...readCapabilities(capabilities),
  };
  const known = String(id);
  return {
    id: known,
    displayName: typeof name === 'string' && name !== '' ? name : known,
    ...(Object.keys(reported).length === 0 ? {} : { reported }),
    ...(lifecycle === 'deprecated' ? { deprecated: true as const } : {}),
    ...(typeof retires === 'string' && /^\d{4}-\d{2}-\d{2}/.test(retires) ? { retiresOn: retires.slice(0, 10) } : {}),
  };
}

/** A field that is not there, or not of the vendor's form, says nothing. */
function readCapabilities(value: unknown): ReportedCapabilities {
  const {
    thinking,
    effort,
    structured_outputs: structured,
    context_management: management,
    image_input: images,
    pdf_input: pdf,
    server_tools: server,
    citations,
  } = objectOf(value);
  const edits = objectOf(management);
  const strategy = (name: string): boolean | undefined =>
    supported(management) === false ? false : supported(edits[name]);
  const reported: ReportedCapabilities = {
    ...readThinking(thinking),
    ...readEfforts(effort),
    ...flag('structuredOutput', supported(structured)),
    ...flag('contextEditing', strategy('clear_tool_uses_20250919')),
    ...flag('thinkingClearing', strategy('clear_thinking_20251015')),
    ...flag('apiCompaction', strategy('compact_20260112')),
    ...flag('webSearch', supported(server) === false ? false : supported(objectOf(server)['web_search'])),
    ...flag('images', supported(images)),
    ...flag('pdf', supported(pdf)),
    ...flag('citations', supported(citations)),
  };
  const isVendorForm = [thinking, effort, structured].every((part) => supported(part) !== undefined);
  return isVendorForm ? { ...reported, vendorForm: true } : reported;
}

function readThinking(value: unknown): ReportedCapabilities {
  const does = supported(value);
  if (does === undefined) return {};
  if (!does) return { thinking: 'none' };
  const types = objectOf(objectOf(value)['types']);
  const takes = (type: string): boolean => supported(types[type]) === true;
  const off = takes('disabled') ? ('disabled' as const) : takes('between_tools') ? ('between_tools' as const) : null;
  if (takes('adaptive'))
    return {
      thinking: supported(types['disabled']) === false && off === null ? 'always' : 'adaptive',
      ...(supported(types['disabled']) === undefined ? {} : { thinkingOff: off }),
    };
  return takes('enabled') ? { thinking: 'budget' } : {};
}

function readEfforts(value: unknown): ReportedCapabilities {
  const does = supported(value);
  if (does === undefined) return {};
  const levels = objectOf(value);
  return { efforts: does ? efforts.filter((level) => supported(levels[level]) === true) : [] };
}

function supported(value: unknown): boolean | undefined {
  const { supported: said } = objectOf(value);
  return typeof said === 'boolean' ? said : undefined;
}

function flag<Name extends keyof ReportedCapabilities>(name: Name, value: boolean | undefined): ReportedCapabilities {
  return value === undefined ? {} : { [name]: value };
}

function positive<Name extends keyof ReportedCapabilities>(name: Name, value: unknown): ReportedCapabilities {
  return typeof value === 'number' && value > 0 ? { [name]: value } : {};
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
