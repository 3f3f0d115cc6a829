// Words that switch something on or off in an environment variable.

export function isOn(value: string | undefined): boolean {
  return ['1', 'true', 'yes', 'on'].includes(value?.trim().toLowerCase() ?? '');
}

/** Not the same as not being on: a variable that is not set leaves the default. */
export function isOff(value: string | undefined): boolean {
  return ['0', 'false', 'no', 'off'].includes(value?.trim().toLowerCase() ?? '');
}
