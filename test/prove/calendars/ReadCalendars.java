import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.stream.Collectors;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.Property;
import net.fortuna.ical4j.model.component.VEvent;
import net.fortuna.ical4j.model.property.DateProperty;

/** Prints the events of the calendars of a folder as a line of JSON for each file, as ical4j reads them. */
public class ReadCalendars {
  public static void main(String[] parameters) throws Exception {
    List<Path> files;
    try (var listed = Files.list(Path.of(parameters[0]))) {
      files = listed.filter((file) -> file.toString().endsWith(".ics")).sorted().toList();
    }
    for (Path file : files) {
      Calendar calendar;
      try (var reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        calendar = new CalendarBuilder().build(reader);
      }
      String problems = calendar.validate(true).getEntries().stream()
          .map((entry) -> quoted(entry.getContext() + ": " + entry.getMessage()))
          .collect(Collectors.joining(","));
      String events = calendar.getComponents("VEVENT").stream()
          .map((component) -> eventOf((VEvent) component))
          .collect(Collectors.joining(","));
      System.out.println("{\"file\":" + quoted(file.getFileName().toString()) + ",\"problems\":[" + problems
          + "],\"events\":[" + events + "]}");
    }
  }

  private static String eventOf(VEvent event) {
    return "{\"uid\":" + text(event, Property.UID) + ",\"start\":" + moment(event, Property.DTSTART) + ",\"end\":"
        + moment(event, Property.DTEND) + ",\"sequence\":" + text(event, Property.SEQUENCE) + ",\"status\":"
        + text(event, Property.STATUS) + ",\"transparency\":" + text(event, Property.TRANSP) + ",\"summary\":"
        + text(event, Property.SUMMARY) + ",\"description\":" + text(event, Property.DESCRIPTION) + ",\"location\":"
        + text(event, Property.LOCATION) + "}";
  }

  private static String text(VEvent event, String name) {
    return quoted(event.getProperty(name).map((property) -> ((Property) property).getValue()).orElse(""));
  }

  private static String moment(VEvent event, String name) {
    DateProperty<?> property = (DateProperty<?>) event.getProperty(name).orElseThrow();
    Temporal date = property.getDate();
    return String.valueOf(Instant.ofEpochSecond(date.getLong(ChronoField.INSTANT_SECONDS)).toEpochMilli());
  }

  private static String quoted(String value) {
    StringBuilder json = new StringBuilder("\"");
    for (char character : value.toCharArray()) {
      if (character == '"' || character == '\\') json.append('\\').append(character);
      else if (character < ' ') json.append(String.format("\\u%04x", (int) character));
      else json.append(character);
    }
    return json.append('"').toString();
  }
}
