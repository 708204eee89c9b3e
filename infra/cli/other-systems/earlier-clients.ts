import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import type { ClientIndex, KnownClient } from '../../../lib/domain/imports/client-index.ts';

/** The client's id within the id of its property: `jobber:1001` in `jobber:1001/5002`. */
const clientOf = (reference: string): string => reference.split('/', 1)[0] ?? reference;

/** Adds the clients of earlier imports to those in the files. */
export async function addEarlierClients(clients: ClientIndex, contacts: AsyncIterable<ContactRecord>): Promise<void> {
  const found = new Map<string, KnownClient>();
  const properties = new Map<string, { reference: string; contact: { Address1: string } }[]>();
  for await (const {
    DigitalTrackingId: reference,
    Address1,
    Name,
    Nickname,
    Company,
    Email,
    Phone,
    AltPhone,
  } of contacts) {
    const client = clientOf(reference);
    const own = properties.get(client) ?? [];
    properties.set(client, own);
    if (client === reference)
      found.set(client, {
        reference,
        client: { Name, Nickname, Company, Email, Phone, AltPhone, Address1 },
        properties: own,
      });
    else own.push({ reference, contact: { Address1 } });
  }
  for (const client of found.values()) clients.add(client);
}
