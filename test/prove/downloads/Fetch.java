import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;

/** Saves the file of a download, led to it by 303. */
class Fetch {
  public static void main(String[] args) throws Exception {
    String body = "{\"DownloadId\":\"" + System.getenv("DOWNLOAD_ID") + "\"}";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(System.getenv("BASE_URL") + "/api/download/getdownload"))
            .header("Content-Type", "application/json")
            .header("Accept", "text/csv")
            .header("X-Api-Key", System.getenv("API_KEY"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpClient client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    client.send(request, HttpResponse.BodyHandlers.ofFile(Path.of(args[0])));
  }
}
