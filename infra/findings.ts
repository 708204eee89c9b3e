/** What was checked, and the result. */
export interface Finding {
  readonly name: string;
  readonly isGood: boolean;
  readonly message: string;
}

export const good = (name: string, message: string): Finding => ({ name, isGood: true, message });
export const bad = (name: string, message: string): Finding => ({ name, isGood: false, message });

/** The findings of checks that run at once; one that AWS refuses to answer is a bad one. */
export async function checked(
  checks: readonly (readonly [name: string, check: Promise<Finding | readonly Finding[]>])[],
): Promise<Finding[]> {
  const found = checks.map(([name, check]) =>
    check.catch((error: unknown) =>
      bad(name, `AWS did not say: ${error instanceof Error ? error.message : String(error)}`),
    ),
  );
  return (await Promise.all(found)).flat();
}
