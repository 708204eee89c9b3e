import { date, described, id, int32, nullable, text } from './fields.ts';
import { many, resource, type Output } from './resource.ts';

/** Weekly hours of a service agent, in the time zone of the organization. */
export const TimeSlot = resource(
  'TimeSlot',
  () => ({
    DayOfWeek: nullable(described(int32(0, 6), '0 Sunday to 6 Saturday.')),
    NameOfDay: text(20),
    StartMinute: described(int32(0, 1439), 'Minutes after midnight: 540 is 9:00.'),
    Minutes: described(int32(0, 1440), 'How long from there.'),
    StartDate: date(),
    EndDate: date(),
    ServiceCategoryName: described(text(100), 'Only for services of this Category; empty for all.'),
    PostalCodes: described(text(), 'Only in these, comma-separated; empty for all of the organization.'),
  }),
  { carriesResult: true },
);
export type TimeSlot = Output<typeof TimeSlot>;

/** A person or crew who does appointments, from StartDate to EndDate, both inclusive. */
export const ServiceAgent = resource('ServiceAgent', () => ({
  Id: id(),
  Name: text(200),
  Email: text(254),
  MobilePhone: text(50),
  StartDate: date(),
  EndDate: date(),
  TimeSlots: many(TimeSlot),
}));
export type ServiceAgent = Output<typeof ServiceAgent>;
