import { type Output, moment as momentField } from '../resources/fields.ts';
import type { ObjectOf } from './declaration/field.ts';
import { date, given, id, moment, number, text } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

/** The parts of a contact besides its own fields. */

/** A note. */
export const noteFields = {
  Id: id({ resource: true }),
  Title: text({ max: 200, resource: true }),
  Body: text({ resource: true }),
  /** When it was added; absent in notes of earlier versions. */
  At: moment({ optional: true }),
  /** The logged call that it describes. */
  CallId: id({ optional: true }),
};
export type StoredNote = ObjectOf<typeof noteFields>;

/** A file of a contact that is not a picture. */
export const fileOfContact = {
  Id: id({ resource: true }),
  Filename: text({ max: 255, resource: true, personal: 'named' }),
  AppointmentId: id({ nullable: true, resource: true }),
  Notes: text({ resource: true, personal: 'written' }),
  /** In UTC, as in the resource. */
  CreatedAt: text(),
  UpdatedAt: text(),
};

export const pictureOfContact = {
  ...fileOfContact,
  Width: number({ min: 0, resource: true, description: 'Pixels.' }),
  Height: number({ min: 0, resource: true, description: 'Pixels.' }),
};

/** An invoice or proposal that awaits the client, as listed in the contact; `Link` is its client page. */
export const openDocument = {
  Date: date({ resource: true }),
  Service: text({ max: 200, resource: true }),
  Link: given(text({ max: 2048 })),
  Id: given(id()),
  /** How often its links were revoked; absent until the first time. */
  LinksRevoked: number({ optional: true }),
};
export type OpenDocument = ObjectOf<typeof openDocument>;

/** The search values of a contact that was merged into this one. */
export const mergedContact = {
  Id: id(),
  Name: text(),
  Nickname: text(),
  Company: text(),
  Email: text(),
  PhoneKey: text(),
  AltPhoneKey: text(),
  DigitalTrackingId: text(),
};
export type MergedContact = ObjectOf<typeof mergedContact>;

export const Note = /* @__PURE__ */ resourceOf({ name: 'Note', declared: noteFields });
export type Note = Output<typeof Note>;

/** The times of a file are stored in the form of the resource. */
const fileTimes = () => ({ CreatedAt: momentField(), UpdatedAt: momentField() });

export const ContactDocument = /* @__PURE__ */ resourceOf(
  { name: 'ContactDocument', declared: fileOfContact },
  {},
  fileTimes,
);

export const ContactPicture = /* @__PURE__ */ resourceOf(
  { name: 'ContactPicture', declared: pictureOfContact },
  {},
  fileTimes,
);

export const ServiceDocumentLink = /* @__PURE__ */ resourceOf({ name: 'ServiceDocumentLink', declared: openDocument });
