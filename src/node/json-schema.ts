// Judges values by a JSON schema. Import it where somebody brings one: the library is large.
import { Ajv2020 } from 'ajv/dist/2020';
import { messageOf } from '../core/text/errors';

/** A judge whose answer is a sentence, or undefined where the value fits; a sentence alone where this is no schema. */
export function schemaJudge(
  schema: Readonly<Record<string, unknown>>,
): ((value: unknown) => string | undefined) | string {
  // Formats are hints here, and every draft is read as the newest: programs send what their libraries make.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const { $schema: _draft, $id: _id, ...rest } = schema;
  try {
    const fits = ajv.compile(rest);
    return (value) =>
      fits(value)
        ? undefined
        : (fits.errors ?? [])
            .map(({ instancePath, message = 'does not fit' }) => `${instancePath || 'the answer'} ${message}`)
            .join('; ');
  } catch (error) {
    return messageOf(error);
  }
}
