import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Resources } from './grants.ts';

/*
 * Permissions that functions of the last release use, and those of this version do not. While a deployment shifts
 * calls, and where it goes back, functions of both run under one role: a permission goes one release after its use.
 * test/infra/former-grants.test.ts compares with the grants of the last release. Decision 11 says how both go on after
 * a release.
 */

/** By the name of the function. */
const former: Readonly<Record<string, (resources: Resources) => PolicyStatement[]>> = {};

export const formerStatements = (name: string, resources: Resources): PolicyStatement[] =>
  former[name]?.(resources) ?? [];
