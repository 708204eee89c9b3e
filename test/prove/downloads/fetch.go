// Saves the file of a download, led to it by 303.
package main

import (
	"io"
	"net/http"
	"os"
	"strings"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	body := strings.NewReader(`{"DownloadId":"` + os.Getenv("DOWNLOAD_ID") + `"}`)
	request, err := http.NewRequest("POST", os.Getenv("BASE_URL")+"/api/download/getdownload", body)
	check(err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/csv")
	request.Header.Set("X-Api-Key", os.Getenv("API_KEY"))
	response, err := http.DefaultClient.Do(request)
	check(err)
	file, err := os.Create(os.Args[1])
	check(err)
	_, err = io.Copy(file, response.Body)
	check(err)
	check(file.Close())
}
