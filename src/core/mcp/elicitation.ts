// What a server asks the user, as fields of a form: only the flat shapes that the protocol allows.
import { type McpRequestField } from '../../shared/mcp-view';
import { isObject } from '../../shared/plain-object';

const maxFields = 50;
/** For all fields together. */
const maxChoices = 100;

/** Undefined where the schema is none that a form can show. */
export function fieldsOf(schema: unknown): McpRequestField[] | undefined {
  if (!isObject(schema) || !isObject(schema['properties'])) return undefined;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const entries = Object.entries(schema['properties']);
  if (entries.length > maxFields) return undefined;
  const fields = entries.map(([name, property]) =>
    isObject(property) ? fieldOf(name, property, required.includes(name)) : undefined,
  );
  if (!fields.every((field) => field !== undefined)) return undefined;
  return fields.reduce((sum, { choices }) => sum + choices.length, 0) > maxChoices ? undefined : fields;
}

function fieldOf(
  name: string,
  property: Readonly<Record<string, unknown>>,
  required: boolean,
): McpRequestField | undefined {
  const kind = kindOf(property);
  if (kind === undefined) return undefined;
  const { title, description, default: initial } = property;
  return {
    name,
    title: typeof title === 'string' && title !== '' ? title : name,
    description: typeof description === 'string' ? description : '',
    required,
    ...kind,
    ...(isAnswer(initial) ? { initial } : {}),
    ...limitsOf(kind.type, property),
  };
}

const limitKeys: Partial<Record<McpRequestField['type'], readonly [string, string]>> = {
  text: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  choices: ['minItems', 'maxItems'],
};

/** Limits that nothing keeps to are none: the user could not answer. */
function limitsOf(
  type: McpRequestField['type'],
  property: Readonly<Record<string, unknown>>,
): Pick<McpRequestField, 'least' | 'most'> {
  const [least, most] = (limitKeys[type] ?? []).map((key) => property[key]);
  if (typeof least === 'number' && typeof most === 'number' && least > most) return {};
  return { ...(typeof least === 'number' ? { least } : {}), ...(typeof most === 'number' ? { most } : {}) };
}

function kindOf(property: Readonly<Record<string, unknown>>): Pick<McpRequestField, 'type' | 'choices'> | undefined {
  const plain = (type: McpRequestField['type']): Pick<McpRequestField, 'type' | 'choices'> => ({ type, choices: [] });
  switch (property['type']) {
    case 'string': {
      const choices = choicesOf(property);
      return choices === undefined ? plain('text') : { type: 'choice', choices };
    }
    case 'number':
      return plain('number');
    case 'integer':
      return plain('integer');
    case 'boolean':
      return plain('boolean');
    case 'array': {
      const choices = isObject(property['items']) ? choicesOf(property['items']) : undefined;
      return choices === undefined ? undefined : { type: 'choices', choices };
    }
    default:
      return undefined;
  }
}

/** `enum` with `enumNames`, or `oneOf`/`anyOf` of titled constants. */
function choicesOf(property: Readonly<Record<string, unknown>>): McpRequestField['choices'] | undefined {
  const { enum: values, enumNames: names, oneOf, anyOf } = property;
  if (Array.isArray(values)) {
    return values
      .filter((value) => typeof value === 'string')
      .map((value, index) => ({ value, label: labelOf(Array.isArray(names) ? names[index] : undefined, value) }));
  }
  const titled = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : undefined;
  return titled
    ?.filter(isObject)
    .flatMap(({ const: value, title }) => (typeof value === 'string' ? [{ value, label: labelOf(title, value) }] : []));
}

function labelOf(label: unknown, value: string): string {
  return typeof label === 'string' ? label : value;
}

function isAnswer(value: unknown): value is string | number | boolean | string[] {
  return (
    ['string', 'number', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every((one) => typeof one === 'string'))
  );
}
