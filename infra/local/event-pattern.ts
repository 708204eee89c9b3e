/** An event pattern of Lambda, as far as infra/table.ts uses them: a tree whose leaves list what a value may be. */
export interface EventPattern {
  readonly [name: string]: EventPattern | readonly Rule[];
}

/** A text that the value must be, that it must be there, or texts that it must not be. */
type Rule = string | { readonly exists: boolean } | { readonly 'anything-but': readonly string[] };

function holds(rule: Rule, value: unknown): boolean {
  if (typeof rule === 'string') return value === rule;
  if ('exists' in rule) return rule.exists === (value !== undefined);
  return value !== undefined && !rule['anything-but'].includes(String(value));
}

/**
 * Whether an event meets a pattern: every leaf by one of its rules.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function matches(pattern: EventPattern, event: unknown): boolean {
  return Object.entries(pattern).every(([name, of]) => {
    const value = (event as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    return isRules(of) ? of.some((rule) => holds(rule, value)) : matches(of, value);
  });
}

const isRules = (of: EventPattern | readonly Rule[]): of is readonly Rule[] => Array.isArray(of);
