import { described, id, list, nullable, text } from './fields.ts';
import { resource, type Output } from './resource.ts';

const formOfFiles = () => ({
  Note: text(),
  TagIds: described(text(1000), 'Comma-separated ids.'),
  UploadIds: described(list(id()), 'In the answer: the ids of the files, in their order.'),
});

/** The form that goes with the files of contacts/upload. */
export const ContactUpload = resource(
  'ContactUpload',
  () => ({ ContactId: id(), AppointmentId: nullable(id()), ...formOfFiles() }),
  { carriesResult: true },
);
export type ContactUpload = Output<typeof ContactUpload>;

/** The form that goes with the files of proposal/upload. */
export const ProposalUpload = resource(
  'ProposalUpload',
  () => ({ ProposalId: id(), ...formOfFiles() }),
  { carriesResult: true },
);
export type ProposalUpload = Output<typeof ProposalUpload>;
