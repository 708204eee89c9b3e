import { didYouMean } from '../../lib/shared/text/suggestions.ts';
import { CommandError } from './output.ts';
import { type Api, readList } from './remote/connect.ts';

/** What commands require of an organization. */
export interface NamedOrganization {
  readonly Id: number;
  readonly PublicName: string;
  readonly LocationID: string;
}

export async function listOrganizations(fs: Api): Promise<NamedOrganization[]> {
  const found: NamedOrganization[] = [];
  for await (const each of readList<NamedOrganization>(fs, 'organizations', 'query', { Take: 100 })) found.push(each);
  return found;
}

/** The id of an organization by name, location id or id. Throws with the nearest name. */
export function organizationId(organizations: readonly NamedOrganization[], text: string): number {
  const word = text.toLowerCase();
  const found = organizations.find(({ Id, PublicName, LocationID }) =>
    [String(Id), PublicName.toLowerCase(), LocationID.toLowerCase()].includes(word),
  );
  if (found) return found.Id;
  const hint = didYouMean(
    text,
    organizations.flatMap(({ PublicName, LocationID }) => [PublicName, LocationID].filter(Boolean)),
  );
  throw new CommandError(`No organization is named ${JSON.stringify(text)}. ${hint}`.trim());
}
