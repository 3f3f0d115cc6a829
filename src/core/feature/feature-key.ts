// Typed names of features: a host or another feature asks for one by its key, and never for how it is made.

export interface FeatureKey<Api> {
  readonly name: string;
  /** Never set: it ties the key to the type of what it finds. */
  readonly api?: (api: Api) => Api;
}

export function featureKey<Api>(name: string): FeatureKey<Api> {
  return { name };
}

/** The beginning of a feature that others may ask for by this key. */
export function provides<Api>(key: FeatureKey<Api>, api: Api): { name: string; api: Api } {
  return { name: key.name, api };
}
