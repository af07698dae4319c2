// SPDX-License-Identifier: GPL-2.0-or-later
// Reads line protocol from standard input with the parser of InfluxDB, and prints each point as a JSON
// object on one line.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/influxdata/influxdb1-client/models"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	points, err := models.ParsePoints(text)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out := json.NewEncoder(os.Stdout)
	for _, point := range points {
		fields, err := point.Fields()
		if err != nil {
			panic(err)
		}
		out.Encode(map[string]interface{}{
			"name": string(point.Name()), "tags": point.Tags().Map(), "fields": fields,
			"time": point.UnixNano()})
	}
}
